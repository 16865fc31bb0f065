import { z, type OpenAPIHono } from '@hono/zod-openapi'
import type { Endpoint } from './endpoint.js'
import { Failure, successSchema } from './envelope.js'

type Registry = OpenAPIHono['openAPIRegistry']
type Route = Parameters<Registry['registerPath']>[0]

const REFUSALS: ReadonlyMap<number, string> = new Map([
  [400, 'The request is at fault; each message points at a member.'],
  [401, 'No valid API token.'],
  [403, 'The API token lacks the permission.'],
  [404, 'There is no such thing, or the API token does not reach it.'],
  [409, 'The state of things forbids it. Repeating the call does not help.'],
  [413, 'The body is too large.'],
  [415, 'The body is of another media type.'],
  [429, 'Too often; `Retry-After` tells when again.'],
  [500, 'Something broke here. The message names the request for whoever operates the service.'],
  [503, 'The store does not answer just now; `Retry-After` tells when again.'],
])

const json = (schema: z.ZodType) => ({ 'application/json': { schema } })

const BODIES = {
  json,
  multipart: (schema: z.ZodType) => ({ 'multipart/form-data': { schema } }),
}

/** Describes an endpoint in the OpenAPI document, by the schemas that judge its calls. */
export function describeEndpoint(registry: Registry, endpoint: Endpoint): void {
  const { method, path, tag, summary, permission, query, body, bodyOptional, bodyForm } = endpoint
  const { headers } = endpoint
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const params = z.object(Object.fromEntries(names.map((name) => [name, z.string()])))
  const route: Route = {
    method,
    path,
    tags: [tag],
    summary,
    operationId: operationId(method, path),
    description:
      permission === null
        ? 'Any valid API token may call this; the answer keeps to what it reaches.'
        : `Permission: \`${permission}\``,
    security: [{ bearer: [] }],
    request: {
      ...(names.length > 0 && { params }),
      ...(query && { query }),
      ...(headers && { headers }),
      ...(body && { body: { content: BODIES[bodyForm](body), required: !bodyOptional } }),
    },
    responses: {
      200: {
        description: 'Success.',
        content: { [endpoint.mediaType ?? 'application/json']: { schema: answerSchema(endpoint) } },
      },
      ...(endpoint.notModified !== undefined && { 304: { description: endpoint.notModified } }),
      ...Object.fromEntries(
        refusalsOf(endpoint).map((status) => [
          status,
          { description: REFUSALS.get(status)!, content: json(Failure) },
        ]),
      ),
    },
  }
  registry.registerPath(route)
}

/** Which refusals an endpoint may answer with. 405 is of an address and belongs to no endpoint. */
function refusalsOf({ method, path, query, body, budgeted }: Endpoint): readonly number[] {
  return [
    ...(query || body ? [400] : []),
    401,
    403,
    ...(path.includes('{') ? [404] : []),
    ...(method === 'get' ? [] : [409]),
    ...(body ? [413, 415] : []),
    ...(budgeted ? [429] : []),
    500,
    503,
  ]
}

function answerSchema({ form, result, query }: Endpoint): z.ZodType {
  if (form === 'bare') return result
  const isPaged = query !== undefined && Object.hasOwn(query.shape, 'per_page')
  const schema = successSchema(result, isPaged)
  return form === 'flat' ? (schema as z.ZodObject).extend((result as z.ZodObject).shape) : schema
}

const operationId = (method: string, path: string): string =>
  [method, ...path.split(/[/{}_]+/)]
    .filter((word) => word !== '')
    .map((word, at) => (at === 0 ? word : word[0]!.toUpperCase() + word.slice(1)))
    .join('')
