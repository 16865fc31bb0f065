/**
 * Header names of one connection, not of the message (RFC 9110 section 7.6.1), lower case. They
 * are dropped in both directions; `proxy-*` goes by its prefix and `te: trailers` is made anew.
 */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  // No header of HTTP, but CGI servers turn it into the variable HTTP_PROXY.
  'proxy',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

// The gate decided on these, or they frame the message: a client's `Connection: authorization`
// must not make upstream see another request than the one that was judged.
const NEVER_LISTED: ReadonlySet<string> = new Set([
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'via',
])

const NONE: ReadonlySet<string> = new Set()

/** True for names that stay on this connection whatever the message says. */
export const isHopByHop = (name: string): boolean =>
  HOP_BY_HOP.has(name) || name.startsWith('proxy-')

/**
 * The names that a `Connection` value takes off the message, lower case. Host, Authorization,
 * Cookie, Via and the names that describe the body are not taken off: listing them has no effect.
 */
export function listedNames(connection: string): ReadonlySet<string> {
  const value = connection.toLowerCase()
  if (value === 'keep-alive' || value === 'close' || value === 'upgrade') return NONE
  const listed = value.split(',').map((name) => name.trim())
  return new Set(listed.filter((name) => name !== '' && !NEVER_LISTED.has(name)))
}
