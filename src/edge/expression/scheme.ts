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

const NAMES: readonly (readonly [Type, string])[] = [
  [
    'Bytes',
    `http.host
     http.user_agent
     http.referer
     http.x_forwarded_for
     http.cookie
     http.request.method
     http.request.version
     http.request.full_uri
     http.request.uri
     http.request.uri.path
     http.request.uri.path.extension
     http.request.uri.query
     raw.http.request.full_uri
     raw.http.request.uri
     raw.http.request.uri.path
     raw.http.request.uri.path.extension
     raw.http.request.uri.query
     http.request.body.raw
     ip.src.country`,
  ],
  [
    'Int',
    `http.request.timestamp.sec
     http.request.timestamp.msec
     http.request.body.size
     ip.src.asnum`,
  ],
  [
    'Bool',
    `http.request.headers.truncated
     http.request.body.truncated
     ssl
     cf.api_gateway.request_violates_schema
     cf.api_gateway.auth_id_present`,
  ],
  ['Ip', `ip.src`],
  [
    'Array<Bytes>',
    `http.request.uri.args.names
     http.request.uri.args.values
     raw.http.request.uri.args.names
     raw.http.request.uri.args.values
     http.request.headers.names
     http.request.headers.values
     http.request.accepted_languages
     http.request.jwt.claims.aud.names
     http.request.jwt.claims.aud.values
     http.request.jwt.claims.iss.names
     http.request.jwt.claims.iss.values
     http.request.jwt.claims.sub.names
     http.request.jwt.claims.sub.values
     http.request.jwt.claims.jti.names
     http.request.jwt.claims.jti.values
     http.request.jwt.claims.iat.sec.names
     http.request.jwt.claims.nbf.sec.names`,
  ],
  [
    'Array<Int>',
    `http.request.jwt.claims.iat.sec.values
     http.request.jwt.claims.nbf.sec.values`,
  ],
  [
    'Map<Array<Bytes>>',
    `http.request.uri.args
     raw.http.request.uri.args
     http.request.headers
     http.request.cookies
     http.request.jwt.claims
     http.request.jwt.claims.aud
     http.request.jwt.claims.iss
     http.request.jwt.claims.sub
     http.request.jwt.claims.jti`,
  ],
  [
    'Map<Array<Int>>',
    `http.request.jwt.claims.iat.sec
     http.request.jwt.claims.nbf.sec`,
  ],
]

/** The fields of a request, as rules of token validation see them. */
export const requestScheme: Scheme = {
  fields: Object.fromEntries(
    NAMES.flatMap(([type, names]) => names.split(/\s+/).map((name) => [name, type])),
  ),
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
