const NOT_IN_ALPHABET = 64

/** The value of each character: the first one of a byte is that of its upper six bits. */
const VALUES = new Uint8Array(128).fill(NOT_IN_ALPHABET)
for (let value = 0; value < 64; value++) {
  VALUES[encodeBase64Url(Uint8Array.of(value << 2)).charCodeAt(0)] = value
}

/**
 * Bytes of unpadded base64url (RFC 7515 2), or `undefined` unless the text is the one canonical
 * spelling of those bytes: no padding, no space, no `+` or `/`, unused bits zero.
 */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const { length } = text
  if ((length & 3) === 1) return undefined
  const bytes = new Uint8Array((length * 3) >> 2)
  // Faults are gathered and judged once at the end: a branch per character costs more.
  let codes = 0
  let values = 0
  let bits = 0
  let end = 0
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    const value = VALUES[code & 127]!
    codes |= code
    values |= value
    bits = (bits << 6) | value
    // The second character of four completes a byte and leaves 4 bits, the third 2, the last none.
    if (at & 3) bytes[end++] = bits >> (2 * (~at & 3))
  }
  const unused = bits & ((1 << (2 * (-length & 3))) - 1)
  return codes > 127 || values >= NOT_IN_ALPHABET || unused > 0 ? undefined : bytes
}

/** The canonical unpadded base64url text of some bytes. */
export function encodeBase64Url(bytes: Uint8Array): string {
  const text = btoa(binaryText(bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** A text with one character, U+0000 to U+00FF, for each byte. */
export function binaryText(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}
