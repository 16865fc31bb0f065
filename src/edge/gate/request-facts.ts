import { bytesOf, parseIp, type Facts, type TokenState, type Value } from '../expression/index.js'
import type { Claims } from '../token/index.js'
import type { Consultation } from './consultation.js'
import { cookiePairs } from './cookies.js'
import type { GateRequest } from './gate-request.js'
import { withQuery, type Target } from './route.js'

/**
 * Answers what expressions ask of a request: fields on demand, verdicts already known. Claims are
 * those of valid tokens only.
 */
export class RequestFacts implements Facts {
  readonly request: GateRequest
  readonly target: Target
  readonly now: number
  readonly consultations: readonly Consultation[]
  /** Takes a token that nobody could judge for a valid one. */
  readonly #trusting: boolean
  headers: ReadonlyMap<string, readonly string[]> | null = null
  cookies: ReadonlyMap<string, readonly string[]> | null = null

  constructor(
    request: GateRequest,
    target: Target,
    now: number,
    consultations: readonly Consultation[],
    trusting = false,
  ) {
    this.request = request
    this.target = target
    this.now = now
    this.consultations = consultations
    this.#trusting = trusting
  }

  field(name: string): Value | undefined {
    return READERS.get(name)?.(this)
  }

  token(configuration: string): TokenState {
    for (const {
      configuration: { id },
      verdict,
    } of this.consultations) {
      if (id !== configuration) continue
      const { status } = verdict
      if (status === 'unavailable' && this.#trusting) return 'valid'
      return status === 'valid' || status === 'absent' ? status : 'invalid'
    }
    return 'absent'
  }
}

type Reader = (facts: RequestFacts) => Value | undefined

const header =
  (name: string): Reader =>
  ({ request }) =>
    request.header(name)

const queryText: Reader = ({ target }) => target.query ?? ''

function pairsOf(query: string | null): readonly (readonly [string, string])[] {
  if (query === null || query === '') return []
  return query.split('&').map((part) => {
    const equals = part.indexOf('=')
    return equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)]
  })
}

function grouped(
  pairs: Iterable<readonly [string, string]>,
  nameOf: (sent: string) => string = (sent) => sent,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const [sent, value] of pairs) {
    const name = nameOf(sent)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [value])
    else group.push(value)
  }
  return groups
}

const args: Reader = ({ target }) => grouped(pairsOf(target.query))
const argNames: Reader = ({ target }) => pairsOf(target.query).map(([name]) => name)
const argValues: Reader = ({ target }) => pairsOf(target.query).map(([, value]) => value)

type PathOf = (target: Target) => string

/** The last dot of the last segment starts the extension. */
function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot === -1 ? '' : name.slice(dot + 1).toLowerCase()
}

/** The fields of the address: normalised, and under `raw.` as sent. */
function uriReaders(prefix: string, pathOf: PathOf): readonly (readonly [string, Reader])[] {
  const uri = ({ target }: RequestFacts) => withQuery(pathOf(target), target.query)
  const readers: readonly (readonly [string, Reader])[] = [
    ['uri', uri],
    ['uri.path', ({ target }) => pathOf(target)],
    ['uri.path.extension', ({ target }) => extensionOf(pathOf(target))],
    ['uri.query', queryText],
    ['uri.args', args],
    ['uri.args.names', argNames],
    ['uri.args.values', argValues],
    [
      'full_uri',
      (facts) => `http${isSecure(facts) ? 's' : ''}://${facts.request.host}${uri(facts)}`,
    ],
  ]
  return readers.map(([name, read]) => [`${prefix}http.request.${name}`, read])
}

const isSecure = ({ request }: RequestFacts): boolean => request.secure === true

/** The two maps that rules index most are made once for a request. */
const headerMap: Reader = (facts) =>
  (facts.headers ??= grouped(facts.request.headers(), (name) => name.toLowerCase()))

const cookieMap: Reader = (facts) =>
  (facts.cookies ??= grouped(cookiePairs(facts.request.header('cookie') ?? '')))

/** Accept-Language as the list of its tags, in order of preference as sent. */
const acceptedLanguages: Reader = ({ request }) =>
  (request.header('accept-language') ?? '')
    .split(',')
    .map((part) => part.split(';', 1)[0]?.trim() ?? '')
    .filter((tag) => tag !== '')

type ClaimReader = (claims: Claims, text: string) => readonly Value[]

const texts = (value: unknown): readonly Value[] =>
  [value].flat().flatMap((each) => (typeof each === 'string' ? [bytesOf(each)] : []))
const oneText = (value: unknown): readonly Value[] => (Array.isArray(value) ? [] : texts(value))
const seconds = (value: unknown): readonly Value[] =>
  typeof value === 'number' && Number.isSafeInteger(Math.trunc(value)) ? [Math.trunc(value)] : []

/** What each claims field holds for one valid token; an empty list leaves the token out. */
const CLAIMS: ReadonlyMap<string, ClaimReader> = new Map<string, ClaimReader>([
  ['', (_, text) => [bytesOf(text)]],
  ['.aud', ({ aud }) => texts(aud)],
  ['.iss', ({ iss }) => oneText(iss)],
  ['.sub', ({ sub }) => oneText(sub)],
  ['.jti', ({ jti }) => oneText(jti)],
  ['.iat.sec', ({ iat }) => seconds(iat)],
  ['.nbf.sec', ({ nbf }) => seconds(nbf)],
])

function claimsOf(
  facts: RequestFacts,
  read: ClaimReader,
): readonly (readonly [string, readonly Value[]])[] {
  return facts.consultations.flatMap(({ configuration: { id }, verdict }) => {
    if (verdict.status !== 'valid' || verdict.claims === undefined) return []
    const values = read(verdict.claims, verdict.claimsText ?? '')
    return values.length === 0 ? [] : [[id, values] as const]
  })
}

function claimReaders([suffix, read]: readonly [string, ClaimReader]): readonly (readonly [
  string,
  Reader,
])[] {
  const name = `http.request.jwt.claims${suffix}`
  const map: readonly [string, Reader] = [name, (facts) => new Map(claimsOf(facts, read))]
  if (suffix === '') return [map]
  return [
    map,
    [`${name}.names`, (facts) => claimsOf(facts, read).map(([id]) => id)],
    [`${name}.values`, (facts) => claimsOf(facts, read).flatMap(([, values]) => values)],
  ]
}

/**
 * How each field of the request's scheme is read. Fields the gate cannot know (the body, which it
 * never reads; facts about the network it was not given) have no reader: they are missing.
 */
export const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['http.host', ({ request }) => request.host],
  ['http.user_agent', header('user-agent')],
  ['http.referer', header('referer')],
  ['http.x_forwarded_for', header('x-forwarded-for')],
  ['http.cookie', header('cookie')],
  ['http.request.method', ({ request }) => request.method],
  ['http.request.version', ({ request }) => request.httpVersion],
  ...uriReaders('', ({ path }) => path),
  ...uriReaders('raw.', ({ rawPath }) => rawPath),
  ['http.request.headers', headerMap],
  ['http.request.headers.names', ({ request }) => [...request.headers()].map(([name]) => name)],
  [
    'http.request.headers.values',
    ({ request }) => [...request.headers()].map(([, value]) => value),
  ],
  ['http.request.headers.truncated', () => false],
  ['http.request.cookies', cookieMap],
  ['http.request.accepted_languages', acceptedLanguages],
  ['http.request.timestamp.sec', ({ now }) => Math.floor(now / 1000)],
  ['http.request.timestamp.msec', ({ now }) => Math.floor(now) % 1000],
  ['ip.src', ({ request: { ip } }) => (ip === undefined ? undefined : parseIp(ip))],
  ['ssl', isSecure],
  ...[...CLAIMS].flatMap(claimReaders),
])
