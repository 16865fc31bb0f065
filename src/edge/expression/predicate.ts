import type { Node } from './node.js'
import type { Value } from './value.js'

/** What a configuration's sources gave: no token, one that does not count, or one that does. */
export type TokenState = 'absent' | 'invalid' | 'valid'

/** What a predicate asks of the world. Total: it never throws. */
export interface Facts {
  /** The value of a field, undefined when it has none. */
  field(name: string): Value | undefined
  /** What `is_jwt_valid` and `is_jwt_present` judge by. */
  token(configuration: string): TokenState
}

/** What an expression reads. */
export interface Uses {
  readonly fields: readonly string[]
  readonly functions: readonly string[]
  readonly configurations: readonly string[]
  readonly lists: readonly string[]
  /** True when claims are read without naming one configuration. */
  readonly everyConfiguration: boolean
}

/** Something legal that its author may not have meant. Lines and columns count from 1. */
export interface ExpressionNotice {
  readonly code:
    'octal_literal' | 'upper_case_header' | 'empty_set' | 'duplicate_item' | 'all_over_optional'
  readonly message: string
  readonly start: number
  readonly end: number
  readonly line: number
  readonly column: number
}

/** A compiled expression, as far as deciding needs it. */
export interface Condition {
  readonly source: string
  readonly uses: Uses
  readonly warnings: readonly ExpressionNotice[]
  /** Answers from facts; nothing is allocated on the way of scalar values. */
  test(facts: Facts): boolean
  /** The expression, read: what `trace` walks through. */
  readonly root: Node
}

/** A compiled expression. */
export interface Predicate extends Condition {
  /** Answers from plain values by field name; text counts as its UTF-8 bytes. Never throws. */
  evaluate(
    values: Readonly<Record<string, unknown>>,
    token?: (configuration: string) => TokenState,
  ): boolean
}
