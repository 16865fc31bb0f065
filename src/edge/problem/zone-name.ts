const HOST = /^([a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::[0-9]{0,5})?$/i

/**
 * The host name that may be shown: lower case, without port, a valid name or IP literal
 * (IPv6 in brackets); anything else becomes `unknown`, so no text of a stranger is reflected.
 */
export function zoneName(host: string | null | undefined): string {
  const name = HOST.exec(host ?? '')?.[1]?.toLowerCase()
  if (name === undefined) return 'unknown'
  return name.startsWith('[') && !URL.canParse(`http://${name}`) ? 'unknown' : name
}
