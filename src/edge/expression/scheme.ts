import type { Type } from './value.js'

/** The world an expression is written for, as data. */
export interface Scheme {
  /** Type by field name: `Bytes`, `Int`, `Bool`, `Ip`, `Array<…>`, `Map<…>`. */
  readonly fields: Readonly<Record<string, string>>
  /** The functions allowed; all of the language without it. */
  readonly functions?: readonly string[]
  /** Items of the named lists by the type they hold, then by name. */
  readonly lists?: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>
  /** The token configurations there are; without it any id is accepted. */
  readonly configurations?: readonly string[]
  /** Whether a missing value is unequal to everything; false without it. */
  readonly nilNotEqual?: boolean
  /** How deep parentheses, `not`, `any`, `all` and calls may nest; 128 without it. */
  readonly maxNesting?: number
  /** How many stars one wildcard may have; no limit without it. */
  readonly wildcardStarLimit?: number
}

const REQUEST = 'http.request.'
const CLAIMS = 'jwt.claims'
/** Claims that are text, and those that are times in seconds. */
const TEXT_CLAIMS = ['aud', 'iss', 'sub', 'jti']
const TIME_CLAIMS = ['iat.sec', 'nbf.sec']

/** Names separated by spaces, all of one type, behind one beginning. */
const typed = (type: Type, names: string, prefix = ''): readonly (readonly [string, Type])[] =>
  names.split(' ').map((name) => [prefix + name, type])

const address = (prefix: string): readonly (readonly [string, Type])[] => [
  ...typed('Bytes', 'full_uri uri uri.path uri.path.extension uri.query', prefix),
  ...typed('Map<Array<Bytes>>', 'uri.args', prefix),
  ...typed('Array<Bytes>', 'uri.args.names uri.args.values', prefix),
]

const claims = (type: Type, name: string): readonly (readonly [string, Type])[] => [
  ...typed(`Map<Array<${type}>>`, `${CLAIMS}.${name}`, REQUEST),
  ...typed('Array<Bytes>', `${CLAIMS}.${name}.names`, REQUEST),
  ...typed(`Array<${type}>`, `${CLAIMS}.${name}.values`, REQUEST),
]

/**
 * The fields of a request, as rules of token validation see them. What no gate can answer (the
 * body, which it does not read, or the country of an address) is unknown rather than ever missing.
 */
export const requestScheme: Scheme = {
  fields: Object.fromEntries([
    ...typed('Bytes', 'http.host http.user_agent http.referer http.x_forwarded_for http.cookie'),
    ...typed('Bytes', 'method version', REQUEST),
    ...address(REQUEST),
    ...address(`raw.${REQUEST}`),
    ...typed('Map<Array<Bytes>>', `headers cookies ${CLAIMS}`, REQUEST),
    ...typed('Array<Bytes>', 'headers.names headers.values accepted_languages', REQUEST),
    ...typed('Int', 'timestamp.sec timestamp.msec', REQUEST),
    ...typed('Bool', 'headers.truncated', REQUEST),
    ...typed('Bool', 'ssl'),
    ...typed('Ip', 'ip.src'),
    ...TEXT_CLAIMS.flatMap((name) => claims('Bytes', name)),
    ...TIME_CLAIMS.flatMap((name) => claims('Int', name)),
  ]),
}

const TYPE = /^(?:(?:Array|Map)<)*(?:Bool|Int|Bytes|Ip)>*$/
const known = new WeakMap<Scheme, ReadonlyMap<string, Type>>()

/**
 * The fields of a scheme, whose names are chosen by strangers: a Map, made once for each scheme.
 *
 * @throws {TypeError} for a type that the language does not have
 */
export function fieldsOf(scheme: Scheme): ReadonlyMap<string, Type> {
  const ready = known.get(scheme)
  if (ready) return ready
  const fields = new Map(Object.entries(scheme.fields))
  for (const [name, type] of fields) {
    if (!TYPE.test(type) || type.split('<').length !== type.split('>').length) {
      throw new TypeError(`the field ${name} has the unknown type ${type}`)
    }
  }
  known.set(scheme, fields)
  return fields
}
