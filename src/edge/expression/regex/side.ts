/** What stands on one side of a place: the edge of the text, a line feed, a word byte, another. */
export type Side = number
export const EDGE = 0
export const LINE = 1
export const LETTER = 2
export const OTHER = 3

/** Stands for a byte behind the last. */
export const END = 256

/** What a byte is to an assertion beside it. */
export function sideOf(byte: number): Side {
  if (byte === END) return EDGE
  return byte === 10 ? LINE : /\w/.test(String.fromCharCode(byte)) ? LETTER : OTHER
}
