import type { Transaction } from '../store/index.js'
import type { Compiled } from './compile-rules.js'
import type { RuleInput } from './rule-columns.js'
import { moveRule } from './rule-order.js'
import { writeUses } from './rule-uses.js'

/**
 * What is left to do once the columns of a rule are written: to keep what it uses, and to move it where
 * it is asked to be.
 *
 * @throws {ApiError} 400 for a place next to an unknown rule or to itself
 */
export async function settleRule(
  tx: Transaction,
  rule: { readonly zone_id: string; readonly id: string; readonly position: number },
  input: RuleInput,
  { configurations }: Compiled,
  pointer: string,
): Promise<void> {
  await writeUses(tx, rule, input, configurations)
  if (input.position !== undefined) await moveRule(tx, rule, input.position, pointer)
}
