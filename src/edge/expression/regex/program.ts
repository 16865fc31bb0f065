import { PatternError } from '../pattern-error.js'
import type { Regex } from './syntax.js'
import type { ByteSet } from './byte-set.js'

/** What a step of a program does. */
export const BYTE = 0
export const SPLIT = 1
export const ASSERT = 2
export const MATCH = 3

/**
 * A nondeterministic automaton. Step n reads one byte of the set `sets[a[n]]` and goes on at `b[n]`,
 * or goes on at both `a[n]` and `b[n]`, or goes on at `b[n]` where the assertion `a[n]` holds, or
 * has found what is sought.
 */
export interface Program {
  readonly start: number
  readonly kinds: readonly number[]
  readonly a: readonly number[]
  readonly b: readonly number[]
  readonly sets: readonly ByteSet[]
}

/** Each byte of a text may cost as many steps, when its state is new. */
const MAX_STEPS = 5_000

/**
 * Thompson's construction, written from the end to the start so that no step needs mending.
 *
 * @throws {PatternError} when counted repetitions make it too large
 */
export function assemble(regex: Regex): Program {
  const kinds: number[] = []
  const a: number[] = []
  const b: number[] = []
  const sets = new Map<ByteSet, number>()

  function step(kind: number, first: number, second: number): number {
    if (kinds.length >= MAX_STEPS) {
      throw new PatternError('too large, its repetitions make too many steps')
    }
    a.push(first)
    b.push(second)
    return kinds.push(kind) - 1
  }

  /** The step at which a part begins that goes on at `next`. */
  function emit(part: Regex, next: number): number {
    switch (part.kind) {
      case 'set': {
        const index = sets.get(part.set) ?? sets.size
        sets.set(part.set, index)
        return step(BYTE, index, next)
      }
      case 'assertion':
        return step(ASSERT, part.mask, next)
      case 'sequence':
        return part.parts.reduceRight((entry, inner) => emit(inner, entry), next)
      case 'choice':
        return part.parts
          .map((inner) => emit(inner, next))
          .reduceRight((others, entry) => step(SPLIT, entry, others))
      case 'repeat':
        return repeat(part.body, part.min, part.max, next)
    }
  }

  function repeat(body: Regex, min: number, max: number, next: number): number {
    let entry = next
    let copies = min
    if (max === Infinity) {
      const loop = step(SPLIT, next, next)
      const inner = emit(body, loop)
      a[loop] = inner
      entry = min === 0 ? loop : inner
      copies--
    } else {
      for (let count = min; count < max; count++) entry = step(SPLIT, emit(body, entry), next)
    }
    for (; copies > 0; copies--) {
      const again = emit(body, entry)
      // A body without steps is the same however often it comes.
      if (again === entry) break
      entry = again
    }
    return entry
  }

  const end = step(MATCH, 0, 0)
  return { start: emit(regex, end), kinds, a, b, sets: [...sets.keys()] }
}
