import type { Type } from '../typed.js'
import type { Value } from '../value.js'

/** A function over values; undefined is a missing value. It never throws. */
export type Run = (...args: readonly (Value | undefined)[]) => Value | undefined

/**
 * What a function takes and gives. A parameter is a type or several parted by `|`, where `Array` and
 * `Map` are any of their kind, `=` is the type of the first argument and `element` that of its
 * elements. Before it stands `F ` when the argument must be a field or a call and `L ` when it must
 * be a literal; behind it `?` when it may be left out and `*` when it may come any number of times.
 */
export interface Signature {
  readonly parameters: readonly string[]
  readonly result: Type
  readonly run: Run
  /** Whether `run` is asked even when an argument is missing; else the result is missing too. */
  readonly total?: boolean
  /** A text when arguments that are literals are wrong; the others come as undefined. */
  readonly complaint?: (...literals: readonly (Value | undefined)[]) => unknown
}
