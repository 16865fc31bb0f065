import { elementOf, type Type } from './value.js'

/** The world an expression is written for, as data. */
export interface Scheme {
  /** Type by field name: `Bytes`, `Int`, `Bool`, `Ip`, `Array<…>`, `Map<…>`. */
  readonly fields: Readonly<Record<string, string>>
  /** The functions allowed; all of the language without it. */
  readonly functions?: readonly string[]
  /** Items of the named lists by the type they hold, then by name. */
  readonly lists?:
    Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> | undefined
  /** The token configurations there are; without it any id is accepted. */
  readonly configurations?: readonly string[]
  /** Whether a missing value is unequal to everything; false without it. */
  readonly nilNotEqual?: boolean
  /** How deep parentheses, `not`, `any`, `all` and calls may nest; 128 without it. */
  readonly maxNesting?: number
  /** How many stars one wildcard may have; no limit without it. */
  readonly wildcardStarLimit?: number
}

/** Names of fields of one type, separated by spaces, behind one beginning. */
type Row = readonly [type: Type, names: string, beginning?: string]

const REQUEST = 'http.request.'

/** A field that has several values of each name, all the names and all the values. */
const table = (type: Type, field: string): readonly Row[] => [
  [`Map<Array<${type}>>`, field],
  ['Array<Bytes>', `${field}.names`],
  [`Array<${type}>`, `${field}.values`],
]

const address = (beginning: string): readonly Row[] => [
  ['Bytes', 'full_uri uri uri.path uri.path.extension uri.query', beginning],
  ...table('Bytes', `${beginning}uri.args`),
]

const claim = (type: Type) => (name: string) => table(type, `${REQUEST}jwt.claims.${name}`)

const ROWS: readonly Row[] = [
  ['Bytes', 'http.host http.user_agent http.referer http.x_forwarded_for http.cookie'],
  ['Bytes', 'method version', REQUEST],
  ...address(REQUEST),
  ...address(`raw.${REQUEST}`),
  ...table('Bytes', `${REQUEST}headers`),
  ['Map<Array<Bytes>>', 'cookies jwt.claims', REQUEST],
  ['Array<Bytes>', 'accepted_languages', REQUEST],
  ['Int', 'timestamp.sec timestamp.msec', REQUEST],
  ['Bool', 'headers.truncated', REQUEST],
  ['Bool', 'ssl'],
  ['Ip', 'ip.src'],
  ...['aud', 'iss', 'sub', 'jti'].flatMap(claim('Bytes')),
  ...['iat.sec', 'nbf.sec'].flatMap(claim('Int')),
]

/**
 * The fields of a request, as rules of token validation see them. What no gate can answer (the
 * body, which it does not read, or the country of an address) is unknown rather than ever missing.
 */
export const requestScheme: Scheme = {
  fields: Object.fromEntries(
    ROWS.flatMap(([type, names, beginning = '']) =>
      names.split(' ').map((name) => [beginning + name, type]),
    ),
  ),
}

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
  for (const [name, type] of fields)
    if (!isType(type)) throw new TypeError(`the field ${name} has the unknown type ${type}`)
  known.set(scheme, fields)
  return fields
}

function isType(type: Type): boolean {
  const element = elementOf(type)
  return element === undefined ? /^(?:Bool|Int|Bytes|Ip)$/.test(type) : isType(element)
}
