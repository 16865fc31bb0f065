import type { ByteSet } from './byte-set.js'

/** A regular expression. Groups are gone: a search that answers yes or no needs none of them. */
export type Regex =
  | { readonly kind: 'set'; readonly set: ByteSet }
  | { readonly kind: 'assertion'; readonly mask: Assertion }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Regex[] }
  | { readonly kind: 'repeat'; readonly body: Regex; readonly min: number; readonly max: number }

/** What stands on one side of a place: the edge of the text, a line feed, a word byte, another. */
export type Side = 0 | 1 | 2 | 3
export const EDGE = 0
export const LINE = 1
export const LETTER = 2
export const OTHER = 3

/** A test of a place: bit `4 * before + after` says whether it holds between these two sides. */
export type Assertion = number

function holds(test: (before: number, after: number) => boolean): Assertion {
  let mask = 0
  for (let place = 0; place < 16; place++) if (test(place >> 2, place & 3)) mask |= 1 << place
  return mask
}

const start = holds((before) => before === EDGE)
const end = holds((_, after) => after === EDGE)

/** The assertions by their spelling, with an `m` before it in multi-line mode. */
export const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ['\\A', start],
  ['^', start],
  ['m^', holds((before) => before <= LINE)],
  ['\\z', end],
  ['$', end],
  ['m$', holds((_, after) => after <= LINE)],
  ['\\b', holds((before, after) => (before === LETTER) !== (after === LETTER))],
  ['\\B', holds((before, after) => (before === LETTER) === (after === LETTER))],
])
