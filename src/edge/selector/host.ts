/** How a host variable such as `{hostVar1}` is written in a canonical host: its name never matters. */
export const ANY_LABEL = '{}'

const VARIABLE = /^\{[A-Za-z0-9_-]+\}$/
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/
const IPV6_LITERAL = /^\[[0-9a-f:.]+\]$/
/** Of ASCII only what a label may hold: the URL parser would take `@` or `/` for an end. */
const UNICODE_LABEL = /^[-\w\u0080-\uffff]+$/

const AUTHORITY = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[0-9a-f:.]+\])(?::\d*)?$/i
/** A name of 253 characters, its trailing dot, a colon and a port. */
const MAX_AUTHORITY = 260

/**
 * The host of a request as the gate compares it: lower case, without port and trailing dot. Empty
 * for what is no host (`user@host`, `a..b`), since an origin might read another one out of it.
 */
export function requestHost(authority: string): string {
  if (isPlainHost(authority)) return authority
  if (authority.length > MAX_AUTHORITY || !AUTHORITY.test(authority)) return ''
  const colon = authority.lastIndexOf(':')
  const end = colon > authority.indexOf(']') ? colon : authority.length
  const host = authority.slice(0, end).toLowerCase()
  return host.endsWith('.') ? host.slice(0, -1) : host
}

/** True for the hosts of nearly all requests: lower case already, no port, no dot astray. */
function isPlainHost(host: string): boolean {
  let previous = DOT
  for (let at = 0; at < host.length; at++) {
    const code = host.charCodeAt(at)
    if (code === DOT ? previous === DOT : PLAIN[code] !== 1) return false
    previous = code
  }
  return previous !== DOT && host.length <= MAX_HOST
}

const DOT = 46
const MAX_HOST = 253
const PLAIN = new Uint8Array(128)
for (const char of 'abcdefghijklmnopqrstuvwxyz0123456789-_') PLAIN[char.charCodeAt(0)] = 1

/**
 * A configured host in canonical form: A-labels, lower case, each whole-label variable as `{}`.
 * `undefined` when it is no host name: a variable inside a label (`foo-{x}.example.com`) is none.
 */
export function canonicalHost(host: string): string | undefined {
  const labels = host.replace(/\.$/, '').split('.')
  const canonical: string[] = []
  for (const label of labels) {
    const text = VARIABLE.test(label) ? ANY_LABEL : toAsciiLabel(label)
    if (text === undefined) return host.startsWith('[') ? ipv6Literal(host) : undefined
    canonical.push(text)
  }
  const text = canonical.join('.')
  return text.length <= MAX_HOST ? text : undefined
}

function toAsciiLabel(label: string): string | undefined {
  const ascii = /^[ -~]*$/.test(label) ? label.toLowerCase() : punycode(label)
  return ascii !== undefined && LABEL.test(ascii) ? ascii : undefined
}

/** The platform's URL parser does IDNA (UTS 46); it is the only one every edge runtime has. */
function punycode(label: string): string | undefined {
  if (!UNICODE_LABEL.test(label)) return undefined
  try {
    return new URL(`http://${label}.example`).hostname.slice(0, -'.example'.length)
  } catch {
    return undefined
  }
}

function ipv6Literal(host: string): string | undefined {
  const text = host.toLowerCase()
  return IPV6_LITERAL.test(text) ? text : undefined
}
