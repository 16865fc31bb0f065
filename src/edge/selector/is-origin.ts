/** Whether a text says where a gate can send requests: `http(s)://host[:port]`, without a path. */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { href, origin, protocol } = new URL(text)
  return href === `${origin}/` && /^https?:$/.test(protocol)
}
