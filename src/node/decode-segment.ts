import type { Room } from './room.js'

/**
 * What decoders take for the character of its lower byte. A text with a byte for each character, as it
 * arrives by HTTP, V8 knows at once to have none.
 */
const WIDE = /[\u0100-\uffff]/

/** What the last character of a canonical text may be, by how many characters follow the last four. */
const LAST = ['', '', 'AQgw', 'AEIMQUYcgkosw048']

/**
 * Bytes of a text without `+` and `/`, or `undefined` unless it is their canonical base64url. The
 * decoders of Node and Bun are quick and forgiving: what they let pass is found around them.
 */
export function decodeSegment(text: string, room: Room): Buffer<ArrayBuffer> | undefined {
  const length = room.decode(text)
  const rest = text.length & 3
  // Characters outside of the alphabet are skipped, which leaves fewer bytes.
  const isCanonical =
    length === (text.length * 3) >> 2 &&
    (rest === 0 || LAST[rest]!.includes(text.charAt(text.length - 1))) &&
    !WIDE.test(text)
  return isCanonical ? room.first(length) : undefined
}
