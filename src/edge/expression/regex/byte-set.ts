/** A set of bytes: bit n says whether byte n is in it. */
export type ByteSet = bigint

/** All bytes. */
export const ALL: ByteSet = (1n << 256n) - 1n

/** Spans as pairs of characters: `09az` is the digits and the small letters. */
export function spans(pairs: string): ByteSet {
  let set = 0n
  for (let index = 0; index < pairs.length; index += 2) {
    const [low, high] = [pairs.charCodeAt(index), pairs.charCodeAt(index + 1)]
    set |= (2n << BigInt(high)) - (1n << BigInt(low))
  }
  return set
}

const UPPER = spans('AZ')
const LOWER = spans('az')

/** The set with both cases of each ASCII letter in it. */
export const foldCase = (set: ByteSet): ByteSet =>
  set | ((set & UPPER) << 32n) | ((set & LOWER) >> 32n)

/** The other bytes. */
export const complement = (set: ByteSet): ByteSet => ALL ^ set

export const NEWLINE: ByteSet = spans('\n\n')
export const WORD: ByteSet = spans('09AZ__az')
export const DIGIT: ByteSet = spans('09')
export const SPACE: ByteSet = spans('\t\r  ')

/** The classes of POSIX, as in `[[:alpha:]]`. */
export const POSIX: ReadonlyMap<string, ByteSet> = new Map([
  ['alnum', spans('09AZaz')],
  ['alpha', spans('AZaz')],
  ['ascii', spans('\0\x7f')],
  ['blank', spans('\t\t  ')],
  ['cntrl', spans('\0\x1f\x7f\x7f')],
  ['digit', DIGIT],
  ['graph', spans('!~')],
  ['lower', LOWER],
  ['print', spans(' ~')],
  ['punct', spans('!/:@[`{~')],
  ['space', SPACE],
  ['upper', UPPER],
  ['word', WORD],
  ['xdigit', spans('09AFaf')],
])
