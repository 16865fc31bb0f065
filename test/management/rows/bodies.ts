import { keyFor } from '../../edge/token/keys.js'
import { ZONE, type Answer, type Item } from '../stage.js'

export const CONFIG = `/zones/${ZONE}/token_validation/config`
export const RULES = `/zones/${ZONE}/token_validation/rules`
export const OPERATIONS = `/zones/${ZONE}/api_gateway/operations`
export const SCHEMAS = `/zones/${ZONE}/schema_validation/schemas`
/** No object has this id. */
export const NOBODY = '00000000-0000-4000-8000-000000000000'
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export const header = (name: string): string => `http.request.headers["${name}"][0]`
export const cookie = (name: string): string => `http.request.cookies["${name}"][0]`

/** A body that creates a token configuration. */
export const config = (changes: object = {}) => ({
  title: 'Customers',
  description: 'Tokens of the shop',
  token_sources: [header('authorization')],
  token_type: 'JWT',
  credentials: { keys: [keyFor('ES256').jwk] },
  ...changes,
})

/** A body that creates a rule. */
export const rule = (changes: object = {}) => ({
  title: 'Shop',
  description: 'Who buys is a customer',
  action: 'block',
  enabled: true,
  expression: 'ssl',
  selector: {},
  ...changes,
})

/** A body that creates an operation. */
export const operation = (changes: object = {}) => ({
  method: 'GET',
  host: 'api.example.com',
  endpoint: '/a',
  ...changes,
})

export const without = (item: object, ...members: readonly string[]): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !members.includes(name)))

/** A text of so many characters. */
export const x = (length: number): string => 'x'.repeat(length)

export const many = <Each>(count: number, each: (at: number) => Each): Each[] =>
  Array.from({ length: count }, (_, at) => each(at))

export const idOf = ({ json }: Answer): string => String(json.result['id'])

/** Status, and code and pointer of the first fault. */
export const refusalOf = ({ status, json }: Answer): readonly unknown[] => [
  status,
  json.errors[0]?.code,
  json.errors[0]?.source?.pointer,
]

/** Codes and pointers of what is told. */
export const toldBy = ({ json }: Answer): readonly (readonly unknown[])[] =>
  json.messages.map(({ code, source }) => [code, source?.pointer])
