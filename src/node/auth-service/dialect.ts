/** How a proxy asks whether a request may pass. */
export type DialectName = 'auth-request' | 'forward-auth' | 'ext-authz'

/**
 * Where a proxy writes what its client asked for. Only the headers named here are believed, and
 * only from trusted peers: a proxy that speaks one dialect lets a stranger's headers of another one
 * through untouched.
 */
export interface Dialect {
  /** Header with the client's method; undefined: that of the question itself. */
  readonly method?: string
  /** Header with the client's request-target; undefined: that of the question itself. */
  readonly target?: string
  /** Header with the client's host; undefined: that of the question itself. */
  readonly host?: string
  /** Headers, in lower case, that are the proxy's own words and not the client's. */
  readonly hidden: ReadonlySet<string>
  /** The status of a refusal that the proxy cannot hand on becomes 403. Undefined: it can any. */
  readonly statuses?: ReadonlySet<number>
  /** Header of the answer that lists headers to remove; undefined: they are sent without value. */
  readonly removal?: string
}

/** With the value `page` the proxy asks for the page of a refusal, not for a verdict. */
export const PAGE_HEADER = 'x-portcullis-answer'

const WAY = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  [
    // nginx takes any answer but 2xx, 401 and 403 for a failure of its own, and drops bodies.
    'auth-request',
    {
      method: 'x-original-method',
      target: 'x-original-uri',
      host: 'x-forwarded-host',
      hidden: new Set([...WAY, 'x-original-method', 'x-original-uri', PAGE_HEADER]),
      statuses: new Set([401, 403]),
    },
  ],
  [
    // Caddy and Traefik.
    'forward-auth',
    {
      method: 'x-forwarded-method',
      target: 'x-forwarded-uri',
      host: 'x-forwarded-host',
      hidden: new Set([...WAY, 'x-forwarded-method', 'x-forwarded-uri']),
    },
  ],
  [
    // Envoy asks with the client's own request line and Host.
    'ext-authz',
    { hidden: new Set(WAY), removal: 'x-envoy-auth-headers-to-remove' },
  ],
] satisfies [DialectName, Dialect][])

export const DIALECT_NAMES: readonly string[] = [...DIALECTS.keys()]

/** @throws TypeError for a name that is no dialect's */
export function knownDialect(name: string): Dialect {
  const dialect = DIALECTS.get(name)
  if (dialect === undefined) throw new TypeError(`expected one of ${DIALECT_NAMES.join(', ')}`)
  return dialect
}
