import type { Ask } from './node.js'

type Is<Of> = (of: Of) => unknown
type Pair = <Of>(left: Is<Of>, right: Is<Of>) => (of: Of) => boolean
type Bools = readonly boolean[]

/** Two questions to the same as one; what is not true is false, as a missing value is. */
export const PAIRS: Readonly<Record<'or' | 'xor' | 'and', Pair>> = {
  or: (left, right) => (of) => left(of) === true || right(of) === true,
  xor: (left, right) => (of) => (left(of) === true) !== (right(of) === true),
  and: (left, right) => (of) => left(of) === true && right(of) === true,
}

/** A pair of arrays element by element, as far as the shorter goes; missing when one is. */
export const pairOfEach =
  (pair: Pair) =>
  (left: Ask, right: Ask): Ask =>
  (facts) => {
    const a = left(facts) as Bools | undefined
    const b = right(facts) as Bools | undefined
    if (!a || !b) return undefined
    const both = pair(
      (at: number) => a[at],
      (at) => b[at],
    )
    return (a.length < b.length ? a : b).map((_, at) => both(at))
  }

export const not =
  (ask: Ask): Ask =>
  (facts) =>
    ask(facts) !== true

export const notEach =
  (ask: Ask): Ask =>
  (facts) =>
    (ask(facts) as Bools | undefined)?.map((value) => !value)

/** A missing array satisfies neither; an empty one satisfies `all`. */
export const quantifiers = {
  any:
    (ask: Ask): Ask =>
    (facts) =>
      (ask(facts) as Bools | undefined)?.includes(true) === true,
  all:
    (ask: Ask): Ask =>
    (facts) =>
      (ask(facts) as Bools | undefined)?.includes(false) === false,
}
