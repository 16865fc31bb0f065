/** Room for bytes that are read at once and never handed out to keep. */
let scratch = Buffer.allocUnsafeSlow(1 << 16)
/** UTF-8 has at most three bytes for a character of a string. */
const BYTES_PER_CHARACTER = 3

type Encoding = 'latin1' | 'base64url' | 'utf8'

/** Writes the bytes of a text from a position on; gives how many they are. */
export function writeScratch(text: string, encoding: Encoding, start: number = 0): number {
  const room = start + text.length * BYTES_PER_CHARACTER
  if (room > scratch.length) scratch = Buffer.allocUnsafeSlow(room)
  return scratch.write(text, start, encoding)
}

/**
 * The bytes of a text, behind others, until something else is written: a buffer of its own would cost
 * each token more than its reading.
 */
export function scratchOf(
  text: string,
  encoding: Encoding,
  before?: Uint8Array,
): Buffer<ArrayBuffer> {
  const start = before === undefined ? 0 : before.length
  const end = start + writeScratch(text, encoding, start)
  if (before !== undefined) scratch.set(before)
  return scratch.subarray(0, end)
}
