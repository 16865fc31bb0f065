/** How a host variable such as `{hostVar1}` is written in a canonical host: its name never matters. */
export const ANY_LABEL = '{}'

const VARIABLE = /^\{[A-Za-z0-9_-]+\}$/
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/
const IPV6_LITERAL = /^\[[0-9a-f:.]+\]$/

/**
 * The host of a request as the gate compares it: lower case, without port and trailing dot.
 * Total: nonsense comes back as nonsense that matches nothing.
 */
export function requestHost(authority: string): string {
  let end = authority.length
  const colon = authority.lastIndexOf(':')
  if (colon !== -1 && authority.indexOf(']', colon) === -1) end = colon
  if (end > 1 && authority.charCodeAt(end - 1) === 46) end -= 1
  return (end === authority.length ? authority : authority.slice(0, end)).toLowerCase()
}

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
  return text.length <= 253 ? text : undefined
}

function toAsciiLabel(label: string): string | undefined {
  const ascii = /^[ -~]*$/.test(label) ? label.toLowerCase() : punycode(label)
  return ascii !== undefined && LABEL.test(ascii) ? ascii : undefined
}

/** The platform's URL parser does IDNA (UTS 46); it is the only one every edge runtime has. */
function punycode(label: string): string | undefined {
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
