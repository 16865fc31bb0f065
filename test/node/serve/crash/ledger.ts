import { createHash } from 'node:crypto'

export type Kind = 'rule' | 'token_configuration' | 'operation'

/** What an object is, as far as its writer decides it; undefined when it is not there. */
export type State = Readonly<Record<string, string>> | undefined

/** One change of an object: what it makes of it, and the request's id once it was acknowledged. */
export interface Step {
  readonly after: State
  requestId?: string
}

/** An object, and everything that was asked of it. Only the last step may be without an answer. */
export interface Thing {
  readonly kind: Kind
  readonly zone: string
  /** Undefined while the call that makes it has no answer. */
  id: string | undefined
  readonly steps: Step[]
}

/** What a writer knows for certain, and what it does not. */
export interface Ledger {
  readonly things: Thing[]
  acknowledged: number
  unanswered: number
  /** Calls on a connection that had served another call before. */
  reused: number
  /** Answers that nobody expected. */
  readonly surprises: string[]
}

export const createLedger = (): Ledger => ({
  things: [],
  acknowledged: 0,
  unanswered: 0,
  reused: 0,
  surprises: [],
})

/** Dice that fall alike in every run: numbers from 0 to 1 (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The secret of an HMAC key that a mark stands for, in base64url. */
export const secretOf = (mark: string): string =>
  createHash('sha256').update(`the secret of ${mark}`).digest('base64url')
