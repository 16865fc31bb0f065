import { z } from '@hono/zod-openapi'
import {
  ApiError,
  CODES,
  endpoint,
  flagQuery,
  listEndpoint,
  listQuery,
  message,
  notFound,
  pageQuery,
  text,
  type Call,
  type Endpoint,
  type Message,
  zoneIdOf,
} from '../http/index.js'
import { moment, type Row, type Services } from '../store/index.js'
import { MAX_AT_ONCE } from './read-operations.js'
import { zoneFacts } from './zone-facts.js'
import { normalise, type Normalised, type OperationInput } from './normalise.js'
import { listOperations } from './list-operations.js'
import { addOperations, deleteOperations, findOperation } from './operations.js'

const TAG = 'Operations'
const METHODS = [
  'GET',
  'POST',
  'HEAD',
  'OPTIONS',
  'PUT',
  'DELETE',
  'CONNECT',
  'PATCH',
  'TRACE',
] as const

const Operation = z
  .object({
    operation_id: z.string(),
    method: z.enum(METHODS),
    host: z.string(),
    endpoint: z.string(),
    last_updated: z.string(),
    features: z.object({}),
  })
  .openapi('Operation')

const Input = z.object({
  method: z.enum(METHODS),
  host: text(253, 1),
  endpoint: text(4096, 1).openapi({ example: '/users/{id}' }),
})

const wire = (row: Row<'operations'>): z.input<typeof Operation> => ({
  operation_id: row.id,
  method: row.method as 'GET',
  host: row.host,
  endpoint: row.endpoint,
  last_updated: moment(row.created_at),
  features: {},
})

/** Operations of a zone: method, host and path template. They are what rules select. */
export function operationRoutes(services: Services): readonly Endpoint[] {
  const { db } = services
  const base = '/zones/{zone_id}/api_gateway/operations'

  async function add(
    call: Call<unknown, unknown>,
    inputs: readonly OperationInput[],
    pointerOf: (at: number) => string,
  ): Promise<readonly z.input<typeof Operation>[]> {
    const zone = await zoneFacts(db, zoneIdOf(call))
    const operations: Normalised[] = []
    const faults: Message[] = []
    for (const [at, input] of inputs.entries()) {
      const result = await normalise(input, zone)
      if ('match_key' in result) operations.push(result)
      else {
        const pointer = `${pointerOf(at)}/${result.member}`
        faults.push(message(CODES.invalid_value, result.text, pointer))
      }
    }
    if (faults.length > 0) throw ApiError.of(400, faults)
    const { rows } = await addOperations(services, zoneIdOf(call), operations, call)
    return rows.map(wire)
  }

  return [
    listEndpoint({
      method: 'get',
      path: base,
      tag: TAG,
      summary: 'List operations',
      permission: 'operations:read',
      query: z.object({
        ...pageQuery,
        host: listQuery,
        method: listQuery,
        endpoint: z.string().optional(),
        order: z.string().max(100).optional(),
        direction: z.enum(['asc', 'desc']).default('asc'),
        feature: listQuery,
      }),
      result: Operation,
      async handle(call) {
        const listed = await listOperations(db, zoneIdOf(call), call.query)
        return { ...listed, items: listed.items.map(wire) }
      },
    }),
    endpoint({
      method: 'post',
      path: `${base}/item`,
      tag: TAG,
      summary: 'Create an operation; an existing match is returned instead',
      permission: 'operations:edit',
      body: Input,
      result: Operation,
      async handle(call) {
        const [operation] = await add(call, [call.body], () => '')
        return operation!
      },
    }),
    endpoint({
      method: 'post',
      path: base,
      tag: TAG,
      summary: 'Create operations; existing matches are returned instead',
      permission: 'operations:edit',
      body: z.array(Input).max(MAX_AT_ONCE),
      result: z.array(Operation),
      handle: async (call) => [...(await add(call, call.body, (at) => `/${at}`))],
    }),
    endpoint({
      method: 'get',
      path: `${base}/{operation_id}`,
      tag: TAG,
      summary: 'Get an operation',
      permission: 'operations:read',
      query: z.object({ feature: listQuery, with_schemas: flagQuery.optional() }),
      result: Operation,
      async handle(call) {
        const row = await findOperation(db, zoneIdOf(call), call.param('operation_id'))
        if (row === undefined) throw notFound('operation')
        return wire(row)
      },
    }),
    endpoint({
      method: 'delete',
      path: `${base}/{operation_id}`,
      tag: TAG,
      summary: 'Delete an operation',
      permission: 'operations:edit',
      result: z.object({ operation_id: z.string() }),
      async handle(call) {
        const id = call.param('operation_id')
        const deleted = await deleteOperations(services, zoneIdOf(call), [id], call)
        if (!deleted.has(id)) throw notFound('operation')
        return { operation_id: id }
      },
    }),
    endpoint({
      method: 'delete',
      path: base,
      tag: TAG,
      summary: 'Delete operations',
      permission: 'operations:edit',
      body: z.array(z.object({ operation_id: z.string() })).max(MAX_AT_ONCE),
      result: z.array(z.object({ operation_id: z.string() })),
      async handle(call) {
        const ids = call.body.map(({ operation_id }) => operation_id)
        const deleted = await deleteOperations(services, zoneIdOf(call), ids, call)
        for (const [at, id] of ids.entries())
          if (!deleted.has(id))
            call.note(message(CODES.not_found, 'there is no such operation', `/${at}/operation_id`))
        return [...deleted].map((operation_id) => ({ operation_id }))
      },
    }),
  ]
}
