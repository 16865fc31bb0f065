/** The bytes that base64 spells, with padding or without; undefined when it spells none. */
export function decodeBase64(text: string): string | undefined {
  try {
    return atob(text)
  } catch {
    // atob says so by an exception; to an expression it is a missing value.
    return undefined
  }
}
