/** A set of bytes: bit n says whether byte n is in it. */
export type ByteSet = bigint

/** All bytes. */
export const ALL: ByteSet = (1n << 256n) - 1n

/** Spans as pairs of characters: `09az` is the digits and the small letters. */
function spans(pairs: string): ByteSet {
  let set = 0n
  for (let index = 0; index < pairs.length; index += 2) {
    set |= (2n << BigInt(pairs.charCodeAt(index + 1))) - (1n << BigInt(pairs.charCodeAt(index)))
  }
  return set
}

const WORD = spans('09AZ__az')
const DIGIT = spans('09')
const SPACE = spans('\t\r  ')
const UPPER = spans('AZ')
const LOWER = spans('az')

/** The set, with both cases of each ASCII letter in it where the flags say so. */
export const fold = ({ flags }: { readonly flags: string }, set: ByteSet): ByteSet =>
  flags.includes('i') ? set | ((set & UPPER) << 32n) | ((set & LOWER) >> 32n) : set

/** Sets by their names: the letters of escapes and the classes of POSIX, as in `[[:alpha:]]`. */
export const SETS: ReadonlyMap<string, ByteSet> = new Map([
  ['a', spans('\x07\x07')],
  ['t', spans('\t\t')],
  ['n', spans('\n\n')],
  ['v', spans('\v\v')],
  ['f', spans('\f\f')],
  ['r', spans('\r\r')],
  ['d', DIGIT],
  ['D', ALL ^ DIGIT],
  ['s', SPACE],
  ['S', ALL ^ SPACE],
  ['w', WORD],
  ['W', ALL ^ WORD],
  ['alnum', UPPER | LOWER | DIGIT],
  ['alpha', UPPER | LOWER],
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
