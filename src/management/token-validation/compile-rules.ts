import type { Scheme } from '../../edge/expression/index.js'
import { ApiError, type Message } from '../http/index.js'
import { compileRule } from './compile-rule.js'
import type { RuleInput } from './rule-columns.js'

/** Gives the pointer to a rule of a call by its place in it. */
export type PointerOf = (at: number) => string

/** What a rule uses, and what is worth telling of it. */
export interface Compiled {
  readonly configurations: readonly string[]
  readonly messages: readonly Message[]
}

/**
 * Compiles each, so that every fault is told and not only those of the first rule.
 * @throws {ApiError} 400 with all of them
 */
export function compileRules(
  inputs: readonly RuleInput[],
  scheme: Scheme,
  pointerOf: PointerOf,
): readonly Compiled[] {
  const faults: Message[] = []
  const compiled = inputs.map(({ expression, selector }, at) => {
    try {
      const rule = compileRule({ expression, selector: selector ?? {} }, scheme, pointerOf(at))
      return { configurations: rule.predicate.uses.configurations, messages: rule.messages }
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      faults.push(...cause.errors)
      return { configurations: [], messages: [] }
    }
  })
  if (faults.length > 0) throw ApiError.of(400, faults)
  return compiled
}
