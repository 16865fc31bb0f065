const ABSOLUTE = /^https?:\/\/([^/?#@\s]+)((?:[/?][^#\s]*)?)$/i

/**
 * Takes an absolute-form target apart: its authority is the host that counts, the rest the target
 * to forward (RFC 9112 section 3.2.2). Undefined for another scheme, a missing authority or one
 * with user information (RFC 9110 section 4.2.4 has it treated as an attempt to deceive).
 */
export function authorityTarget(
  url: string,
  method: string | undefined,
): { readonly host: string; readonly target: string } | undefined {
  const [, host, rest = ''] = ABSOLUTE.exec(url) ?? []
  if (host === undefined) return undefined
  if (rest === '') return { host, target: method === 'OPTIONS' ? '*' : '/' }
  return { host, target: rest.startsWith('/') ? rest : `/${rest}` }
}
