/** How a host variable such as `{hostVar1}` is written in a canonical host: its name never matters. */
export const ANY_LABEL = '{}'

const AUTHORITY = /^([\w-]+(?:\.[\w-]+)*|\[[0-9a-f:.]+\](?!\.))\.?(?::\d*)?$/i

/**
 * The host of a request as the gate compares it: lower case, without port and trailing dot. Empty
 * for what is no host (`user@host`, `a..b`), since an origin might read another one out of it.
 */
export function requestHost(authority: string): string {
  // A name of 253 characters, its trailing dot, a colon and a port.
  const most = 260
  if (authority.length > most) return ''
  return AUTHORITY.exec(authority)?.[1]?.toLowerCase() ?? ''
}

/**
 * A configured host in canonical form: A-labels, lower case, each whole-label variable as `{}`.
 * `undefined` when it is no host name: a variable inside a label (`foo-{x}.example.com`) is none.
 */
export function canonicalHost(host: string): string | undefined {
  const most = 253
  const labels = host.replace(/\.$/, '').split('.').map(canonicalLabel)
  // What is no name may be an address of version 6.
  if (labels.includes(undefined))
    return /^\[[0-9a-f:.]+\]$/i.test(host) ? host.toLowerCase() : undefined
  const text = labels.join('.')
  return text.length <= most ? text : undefined
}

/** The platform's URL parser does IDNA (UTS 46); it is the only one every edge runtime has. */
function canonicalLabel(label: string): string | undefined {
  if (/^\{[\w-]+\}$/.test(label)) return ANY_LABEL
  try {
    // Of ASCII only what a label may hold: the URL parser would take `@` or `/` for an end.
    const ascii = /^[\w-]*[\u0080-\uffff][\w\u0080-\uffff-]*$/.test(label)
      ? new URL(`http://${label}.example`).hostname.slice(0, -'.example'.length)
      : label.toLowerCase()
    return /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(ascii) ? ascii : undefined
  } catch {
    return undefined
  }
}
