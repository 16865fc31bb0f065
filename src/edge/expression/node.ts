import type { Span } from './cursor.js'
import type { Facts } from './predicate.js'
import type { Type, Value } from './value.js'

/** Asks the facts for the value of an expression. Never throws. */
export type Ask = (facts: Facts) => Value | undefined

/** Makes the closure of an expression from those of its parts. */
export type Make = (...parts: readonly Ask[]) => Ask

/** An expression whose names are known and whose types agree. */
export interface Node extends Span, Extra {
  readonly kind: string
  readonly type: Type
  readonly parts: readonly Node[]
  readonly make: Make
}

interface Extra {
  /** True when the value is an array made by `[*]`, and `type` the type of its elements. */
  readonly each?: boolean
  readonly indexes?: readonly Index[]
  /** True for what parentheses are around. */
  readonly grouped?: boolean
  /** What a literal says; one without quotes has no type before it is known which is wanted. */
  readonly value?: Value | undefined
}

/** `["key"]`, `[1]`, or, undefined, `[*]` for each element. */
export interface Index extends Span {
  readonly at: string | number | undefined
}

export function node(
  kind: string,
  type: Type,
  { start, end }: Span,
  parts: readonly Node[],
  make: Make,
  extra?: Extra,
): Node {
  return { kind, type, start, end, parts, make, ...extra }
}

/** Turns an expression into closures, each of which may be watched. */
export function build(root: Node, watch = (_: Node, ask: Ask): Ask => ask): Ask {
  return watch(root, root.make(...root.parts.map((part) => build(part, watch))))
}

/** A value that is known. */
export const constant = (type: Type, span: Span, value: Value, extra?: Extra): Node =>
  node('literal', type, span, [], () => () => value, extra)

/** A literal, which `value` has. */
export const literalOf = (type: Type, span: Span, value: Value): Node =>
  constant(type, span, value, { value })
