const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const NOT_IN_ALPHABET = 64

const VALUES = new Uint8Array(128).fill(NOT_IN_ALPHABET)
for (let value = 0; value < 64; value++) VALUES[ALPHABET.charCodeAt(value)] = value

/**
 * Bytes of unpadded base64url (RFC 7515 2), or `undefined` unless the text is the one canonical
 * spelling of those bytes: no padding, no space, no `+` or `/`, unused bits zero.
 */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const { length } = text
  const rest = length & 3
  if (rest === 1) return undefined
  const bytes = new Uint8Array((length * 3) >> 2)
  // Faults are gathered and judged once at the end: a branch per character costs more.
  let codes = 0
  let values = 0
  let index = 0
  let at = 0
  const next = (): number => {
    const code = text.charCodeAt(index++)
    const value = VALUES[code & 127]!
    codes |= code
    values |= value
    return value
  }
  for (let groups = length >> 2; groups > 0; groups--) {
    const group = (next() << 18) | (next() << 12) | (next() << 6) | next()
    bytes[at++] = group >> 16
    bytes[at++] = group >> 8
    bytes[at++] = group
  }
  let unused = 0
  if (rest > 0) {
    const group = (next() << 18) | (next() << 12) | (rest === 3 ? next() << 6 : 0)
    bytes[at++] = group >> 16
    if (rest === 3) bytes[at] = group >> 8
    unused = group & (rest === 3 ? 0xff : 0xffff)
  }
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
