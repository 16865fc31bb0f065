import type { Run } from './functions/signature.js'
import type { Span } from './syntax.js'
import type { Value } from './value.js'

/**
 * The name of a type as schemes spell it: `Bool`, `Int`, `Bytes`, `Ip`, `Array<…>`, `Map<…>`. Names
 * are canonical, so types are equal when their names are.
 */
export type Type = string

/** What an Array or Map holds, undefined for any other type. */
export function elementOf(type: Type): Type | undefined {
  return type.endsWith('>') ? type.slice(type.indexOf('<') + 1, -1) : undefined
}

/** An expression whose names are known and whose types agree. */
export type Typed = { readonly type: Type } & Span &
  (
    | { readonly kind: 'or' | 'xor' | 'and'; readonly operands: readonly Typed[] }
    | { readonly kind: 'not' | 'any' | 'all'; readonly operand: Typed }
    | {
        readonly kind: 'comparison'
        readonly left: TypedPlace
        readonly test: (value: Value) => boolean
        /** The answer when there is no value. */
        readonly missing: boolean
      }
    | { readonly kind: 'literal'; readonly value: Value }
    | TypedPlace
  )

/** A value by its way: where it begins and the steps of its indexes, undefined for each element. */
export type TypedPlace = {
  readonly type: Type
  /** True when the value is an array made by `[*]`, and `type` the type of its elements. */
  readonly each: boolean
  readonly path: readonly (string | number | undefined)[]
} & Span &
  (
    | { readonly kind: 'field'; readonly name: string }
    | { readonly kind: 'token'; readonly configuration: string; readonly valid: boolean }
    | {
        readonly kind: 'call'
        readonly name: string
        readonly args: readonly Typed[]
        readonly run: Run
        /** Whether the function is asked even when an argument is missing. */
        readonly total: boolean
      }
  )

/** The expressions that an expression is made of. */
export function partsOf(typed: Typed): readonly Typed[] {
  if ('operands' in typed) return typed.operands
  if ('operand' in typed) return [typed.operand]
  if (typed.kind === 'comparison') return [typed.left]
  return typed.kind === 'call' ? typed.args : []
}
