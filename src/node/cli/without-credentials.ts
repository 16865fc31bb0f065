/** A URL, or what should be one, to be shown: what stands before an `@` may be a password. */
export function withoutCredentials(text: string): string {
  const at = text.lastIndexOf('@')
  return at < 0 ? text : `...${text.slice(at)}`
}
