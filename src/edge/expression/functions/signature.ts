import type { Value } from '../value.js'

/** A function over values; undefined is a missing value. It never throws. */
export type Run = (...args: readonly (Value | undefined)[]) => Value | undefined

/**
 * What a function takes and gives, as `Bytes, L Int 1..9, Int? -> Bool`. A parameter is a type or
 * several parted by `|`, where `Array` and `Map` are any of their kind, `=` is the type of the first
 * argument and `element` that of its elements. Before it stands `F` when the argument must be a
 * field or a call and `L` when it must be a literal; right behind it `?` when it may be left out and
 * `*` when it may come any number of times; after it the range of an Int, or the regular expression
 * of Bytes, to which a literal must keep. A result `=` is of the first argument's type.
 */
export type Signature = readonly [
  shape: string,
  /** Runs over values of these types; its result is missing when one of them is. */
  run: (...args: never[]) => Value | undefined,
  /**
   * Whether it runs even when an argument is missing, or over the state of a token instead, of the
   * configuration that the argument names.
   */
  mode?: 'total' | 'token',
]

const PARAMETER = /^(?:([FL]) )?(\S+?)([?*]?)(?: (\S+))?$/

/** One parameter of a shape. */
export type Parameter = readonly [
  kind: 'F' | 'L' | undefined,
  types: string,
  times: string,
  limit: string | undefined,
]

// Told what they are, since no compiler reads an expression: these four groups are what `PARAMETER`
// captures, some of them nothing. A shape that does not match is a fault of our own table.
export const parametersOf = (shape: string): Parameter[] =>
  shape.split(', ').map((text) => PARAMETER.exec(text)?.slice(1) as readonly unknown[] as Parameter)
