import { bytesOf, parseIp, type Facts, type TokenState, type Value } from '../expression/index.js'
import type { Verdict } from '../token/index.js'
import type { Consultation } from './consultation.js'
import { cookiePairs } from './cookies.js'
import type { GateRequest } from './gate-request.js'
import { halves } from './halves.js'
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
  headers?: ReadonlyMap<string, readonly string[]>
  cookies?: ReadonlyMap<string, readonly string[]>

  constructor(
    request: GateRequest,
    target: Target,
    now: number,
    consultations: readonly Consultation[],
  ) {
    this.request = request
    this.target = target
    this.now = now
    this.consultations = consultations
  }

  field(name: string): Value | undefined {
    return READERS.get(name)?.(this)
  }

  token(configuration: string): TokenState {
    const asked = this.consultations.find((each) => each.configuration.id === configuration)
    const status = asked?.verdict.status ?? 'absent'
    return status === 'valid' || status === 'absent' ? status : 'invalid'
  }
}

/** The same facts with every unavailable token, and its claims, taken for a valid one. */
export function trusting({ request, target, now, consultations }: RequestFacts): RequestFacts {
  const trusted = consultations.map(({ verdict, ...each }) => ({
    ...each,
    verdict: verdict.presumed ?? verdict,
  }))
  return new RequestFacts(request, target, now, trusted)
}

type Reader = (facts: RequestFacts) => Value | undefined

/** A header with a field of its own. */
const headerReader = (name: string): readonly [string, Reader] => [
  `http.${name.replaceAll('-', '_')}`,
  // JavaScript may pass on the null of `Headers`.
  ({ request }) => request.header(name) ?? undefined,
]

function pairsOf(query: string | null): readonly (readonly [string, string])[] {
  if (!query) return []
  return query.split('&').map((part) => {
    const [name, value] = halves(part, '=')
    return [name, value ?? '']
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

type Readers = readonly (readonly [string, Reader])[]

/** A field that has several values of each name, all the names and all the values. */
const tableReaders = (
  name: string,
  mapOf: Reader,
  pairs: (facts: RequestFacts) => Iterable<readonly [string, Value]>,
): Readers => [
  [name, mapOf],
  [`${name}.names`, (facts) => Array.from(pairs(facts), ([each]) => each)],
  [`${name}.values`, (facts) => Array.from(pairs(facts), ([, value]) => value).flat()],
]

type PathOf = (target: Target) => string

/** The last dot of the last segment starts the extension. */
function extensionOf(path: string): string {
  const [, extension = ''] = /\.([^./]*)$/.exec(path) ?? []
  return extension.toLowerCase()
}

/** The fields of the address: normalised, and under `raw.` as sent. */
function uriReaders(beginning: string, pathOf: PathOf): Readers {
  const name = `${beginning}http.request.uri`
  const uri = ({ target }: RequestFacts) => withQuery(pathOf(target), target.query)
  const args = ({ target }: RequestFacts) => pairsOf(target.query)
  return [
    [name, uri],
    [`${name}.path`, ({ target }) => pathOf(target)],
    [`${name}.path.extension`, ({ target }) => extensionOf(pathOf(target))],
    [`${name}.query`, ({ target }) => target.query ?? ''],
    ...tableReaders(`${name}.args`, (facts) => grouped(args(facts)), args),
    [
      `${beginning}http.request.full_uri`,
      (facts) => `http${isSecure(facts) ? 's' : ''}://${facts.request.host}${uri(facts)}`,
    ],
  ]
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
    .map((part) => part.replace(/;.*/s, '').trim())
    .filter((tag) => tag !== '')

/** A claim as the values of its field; none for one of another type. */
type ClaimReader = (claim: unknown) => readonly Value[]

const text: ClaimReader = (claim) => (typeof claim === 'string' ? [bytesOf(claim)] : [])
const texts: ClaimReader = (claim) => [claim].flat().flatMap(text)
const seconds: ClaimReader = (claim) => {
  const whole = typeof claim === 'number' && Math.trunc(claim)
  return Number.isSafeInteger(whole) ? [whole as number] : []
}

/** Values by configuration, of valid tokens that have some. */
function valuesOf(
  { consultations }: RequestFacts,
  read: (verdict: Verdict) => readonly Value[],
): readonly (readonly [string, readonly Value[]])[] {
  return consultations.flatMap(({ configuration: { key }, verdict }) => {
    const values = verdict.status === 'valid' ? read(verdict) : []
    return values.length > 0 ? [[key, values] as const] : []
  })
}

const CLAIMS = 'http.request.jwt.claims'

function claimReaders(claim: string, suffix: string, read: ClaimReader): Readers {
  const values = (facts: RequestFacts) => valuesOf(facts, ({ claims }) => read(claims?.[claim]))
  return tableReaders(`${CLAIMS}.${claim}${suffix}`, (facts) => new Map(values(facts)), values)
}

/**
 * How each field of the request's scheme is read. Fields the gate cannot know (the body, which it
 * never reads; facts about the network it was not given) have no reader: they are missing.
 */
export const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['http.host', ({ request }) => request.host],
  ...['user-agent', 'referer', 'x-forwarded-for', 'cookie'].map(headerReader),
  ['http.request.method', ({ request }) => request.method],
  ['http.request.version', ({ request }) => request.httpVersion],
  ...uriReaders('', ({ path }) => path),
  ...uriReaders('raw.', ({ rawPath }) => rawPath),
  ...tableReaders('http.request.headers', headerMap, ({ request }) => request.headers()),
  ['http.request.headers.truncated', () => false],
  ['http.request.cookies', cookieMap],
  ['http.request.accepted_languages', acceptedLanguages],
  ['http.request.timestamp.sec', ({ now }) => Math.floor(now / 1000)],
  ['http.request.timestamp.msec', ({ now }) => Math.floor(now) % 1000],
  ['ip.src', ({ request: { ip } }) => (ip === undefined ? undefined : parseIp(ip))],
  ['ssl', isSecure],
  [CLAIMS, (facts) => new Map(valuesOf(facts, ({ claimsText }) => text(claimsText)))],
  ...claimReaders('aud', '', texts),
  ...['iss', 'sub', 'jti'].flatMap((claim) => claimReaders(claim, '', text)),
  ...['iat', 'nbf'].flatMap((claim) => claimReaders(claim, '.sec', seconds)),
])
