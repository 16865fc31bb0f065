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

const BYTES_LISTS = 'Map<Array<Bytes>>'
const BYTES_LIST = 'Array<Bytes>'

const uri: Record<string, string> = {
  'http.request.full_uri': 'Bytes',
  'http.request.uri': 'Bytes',
  'http.request.uri.path': 'Bytes',
  'http.request.uri.path.extension': 'Bytes',
  'http.request.uri.query': 'Bytes',
  'http.request.uri.args': BYTES_LISTS,
  'http.request.uri.args.names': BYTES_LIST,
  'http.request.uri.args.values': BYTES_LIST,
}

const claim = (name: string, element: string): [string, string][] => [
  [`http.request.jwt.claims${name}`, `Map<Array<${element}>>`],
  [`http.request.jwt.claims${name}.names`, BYTES_LIST],
  [`http.request.jwt.claims${name}.values`, `Array<${element}>`],
]

/** The fields of a request, as rules of token validation see them. */
export const requestScheme: Scheme = {
  fields: {
    'http.host': 'Bytes',
    'http.user_agent': 'Bytes',
    'http.referer': 'Bytes',
    'http.x_forwarded_for': 'Bytes',
    'http.cookie': 'Bytes',
    'http.request.method': 'Bytes',
    'http.request.version': 'Bytes',
    ...uri,
    ...Object.fromEntries(Object.entries(uri).map(([name, type]) => [`raw.${name}`, type])),
    'http.request.headers': BYTES_LISTS,
    'http.request.headers.names': BYTES_LIST,
    'http.request.headers.values': BYTES_LIST,
    'http.request.headers.truncated': 'Bool',
    'http.request.cookies': BYTES_LISTS,
    'http.request.accepted_languages': BYTES_LIST,
    'http.request.timestamp.sec': 'Int',
    'http.request.timestamp.msec': 'Int',
    'http.request.body.raw': 'Bytes',
    'http.request.body.size': 'Int',
    'http.request.body.truncated': 'Bool',
    'ip.src': 'Ip',
    'ip.src.country': 'Bytes',
    'ip.src.asnum': 'Int',
    ssl: 'Bool',
    'http.request.jwt.claims': BYTES_LISTS,
    ...Object.fromEntries(
      ['aud', 'iss', 'sub', 'jti'].flatMap((name) => claim(`.${name}`, 'Bytes')),
    ),
    ...Object.fromEntries(['iat', 'nbf'].flatMap((name) => claim(`.${name}.sec`, 'Int'))),
    'cf.api_gateway.request_violates_schema': 'Bool',
    'cf.api_gateway.auth_id_present': 'Bool',
  },
}
