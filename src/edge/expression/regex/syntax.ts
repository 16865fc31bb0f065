import type { ByteSet } from './byte-set.js'

/** A regular expression. Groups are gone: a search that answers yes or no needs none of them. */
export type Regex = { readonly height: number } & (
  | { readonly kind: 'set'; readonly set: ByteSet }
  | { readonly kind: 'assertion'; readonly mask: Assertion }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Regex[] }
  | { readonly kind: 'repeat'; readonly body: Regex; readonly min: number; readonly max: number }
)

/** What stands on one side of a place: the edge of the text, a line feed, a word byte, another. */
export type Side = 0 | 1 | 2 | 3
export const EDGE = 0
export const LINE = 1
export const LETTER = 2
export const OTHER = 3

/** A test of a place: bit `4 * before + after` says whether it holds between these two sides. */
export type Assertion = number

function holds(test: (before: Side, after: Side) => boolean): Assertion {
  let mask = 0
  for (let place = 0; place < 16; place++) {
    if (test((place >> 2) as Side, (place & 3) as Side)) mask |= 1 << place
  }
  return mask
}

export const TEXT_START: Assertion = holds((before) => before === EDGE)
export const TEXT_END: Assertion = holds((_, after) => after === EDGE)
export const LINE_START: Assertion = holds((before) => before <= LINE)
export const LINE_END: Assertion = holds((_, after) => after <= LINE)

/** The assertions of words, by what follows the backslash. */
export const WORD_ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ['b', holds((before, after) => (before === LETTER) !== (after === LETTER))],
  ['B', holds((before, after) => (before === LETTER) === (after === LETTER))],
  ['b{start}', holds((before, after) => before !== LETTER && after === LETTER)],
  ['b{end}', holds((before, after) => before === LETTER && after !== LETTER)],
  ['b{start-half}', holds((before) => before !== LETTER)],
  ['b{end-half}', holds((_, after) => after !== LETTER)],
])

/** A text that is no regular expression, or one that this engine will not run; with its place. */
export class RegexError extends Error {
  override readonly name = 'RegexError'
  readonly start: number
  readonly end: number

  constructor(message: string, start: number, end: number) {
    super(message)
    this.start = start
    this.end = end
  }
}
