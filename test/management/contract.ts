import { z } from 'zod'
import type { Management } from '../../src/management/index.js'

interface Operation {
  readonly responses: Readonly<
    Record<
      string,
      { readonly content: { readonly 'application/json': { readonly schema: object } } }
    >
  >
}

interface Document {
  readonly components: { readonly schemas: object }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** Finds what is wrong with an answer by the OpenAPI document; `undefined` when nothing is. */
export type Contract = (
  method: string,
  path: string,
  status: number,
  json: unknown,
) => string | undefined

const ADDRESS = 'http://management.test/client/v4/openapi.json'
/** What any address may answer with, and no operation lists. */
const UNLISTED = new Set([405, 500])

/** The OpenAPI document of an API as a judge of its answers. */
export async function contractOf(management: Management): Promise<Contract> {
  const response = await management.fetch(new Request(ADDRESS))
  // JSON Schema knows definitions by another place than OpenAPI.
  const text = (await response.text()).replaceAll('#/components/schemas/', '#/$defs/')
  const { components, paths } = JSON.parse(text) as Document
  const routes = Object.entries(paths)
    .map(([path, operations]) => ({ pattern: patternOf(path), operations }))
    .toSorted((one, other) => one.pattern.variables - other.pattern.variables)
  const schemas = new Map<object, z.ZodType>()
  return (method, path, status, json) => {
    const [plain = ''] = path.replace(/\/$/, '').split('?')
    const route = routes.find(
      ({ pattern, operations }) => pattern.text.test(plain) && method.toLowerCase() in operations,
    )
    if (route === undefined || UNLISTED.has(status)) return undefined
    const described = route.operations[method.toLowerCase()]!.responses[status]
    if (described === undefined) return `${method} ${path} is not said to answer ${status}`
    const { schema } = described.content['application/json']
    if (!schemas.has(schema))
      schemas.set(schema, z.fromJSONSchema({ ...schema, $defs: components.schemas as never }))
    const { error } = schemas.get(schema)!.safeParse(json)
    return error && `${method} ${path} ${status}: ${z.prettifyError(error)}`
  }
}

function patternOf(path: string): { readonly text: RegExp; readonly variables: number } {
  const parts = path.split(/\{\w+\}/)
  return { text: new RegExp(`^${parts.join('[^/]+')}$`), variables: parts.length - 1 }
}
