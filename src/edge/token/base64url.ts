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
  let group = 0
  let at = 0
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index)
    const value = VALUES[code & 127]!
    codes |= code
    values |= value
    group = (group << 6) | value
    if ((index & 3) === 3) {
      bytes[at] = group >> 16
      bytes[at + 1] = group >> 8
      bytes[at + 2] = group
      at += 3
    }
  }
  if (codes > 127 || values >= NOT_IN_ALPHABET) return undefined
  if (rest === 0) return bytes
  const unused = rest === 2 ? 4 : 2
  if ((group & ((1 << unused) - 1)) !== 0) return undefined
  if (rest === 3) bytes[at++] = group >> 10
  bytes[at] = group >> unused
  return bytes
}

/** The canonical unpadded base64url text of some bytes. */
export function encodeBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const group = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    const digits = Math.min(bytes.length - at, 3) + 1
    for (let digit = 0; digit < digits; digit++) text += ALPHABET[(group >> (18 - 6 * digit)) & 63]
  }
  return text
}
