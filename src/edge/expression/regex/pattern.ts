import { Cursor } from '../cursor.js'
import type { Side } from './side.js'

/** A test of a place by its sides. */
export type Assertion = (before: Side, after: Side) => boolean

/**
 * A step of a nondeterministic automaton: it goes on at `next` after a byte of a set, which
 * is 256 binary digits, or where an assertion holds, or without either at `next` and at `other`; without `next` it has found.
 */
export type Step = readonly [test?: string | Assertion | undefined, next?: number, other?: number]

/** Ends the compilation over a part of the text. */
export type Complain = (message: string, start: number, end: number) => never

/** A regular expression as it is read, and the steps that are made of it. */
export class Pattern extends Cursor {
  readonly steps: Step[] = []
  readonly names: Set<string> = new Set()
  /** The letters of the flags that are on. */
  flags = ''
  depth = 0
  readonly #complain: Complain

  constructor(text: string, complain: Complain) {
    super(text)
    this.#complain = complain
  }

  /** Complains of what was read from an offset on, or of what stands there. */
  fail(message: string, start: number = this.at): never {
    return this.#complain(message, start, Math.max(this.at, start + 1))
  }

  /** Goes into a group, a class or a repetition of a repetition. */
  deepen(start: number): void {
    const most = 250
    if (++this.depth > most) this.fail('nested too deeply', start)
  }

  /** Moves over space and comments, where the flags make them mean nothing. */
  skip(): void {
    if (this.flags.includes('x')) this.match(/(?:[ \t-\r]|#.*)+/y)
  }

  /** Adds a step. Each byte of a text may cost as many as there are, when its state is new. */
  step(...step: Step): number {
    const most = 5_000
    if (this.steps.length >= most) {
      this.at = 0
      this.fail('too large, it repeats too much')
    }
    return this.steps.push(step) - 1
  }
}
