import type { Scheme } from '../../edge/expression/index.js'
import type { Message } from '../http/index.js'
import type { Row, Transaction } from '../store/index.js'
import type { Compiled, PointerOf } from './compile-rules.js'
import { lintRules } from './lint-rules.js'
import { ruleWire, type RuleRow } from './rule-rows.js'
import type { Rule } from './rule-schema.js'

/** Rules as they are after a change, and what is worth telling about them. */
export interface SavedRules {
  readonly rules: readonly Rule[]
  readonly messages: readonly Message[]
}

/** Rules as they are in the store after a change, with what is odd about them. */
export async function savedRules(
  tx: Transaction,
  zone: Row<'zones'>,
  rows: readonly RuleRow[],
  compiled: readonly Compiled[],
  scheme: Scheme,
  pointerOf: PointerOf,
): Promise<SavedRules> {
  const findings = await lintRules(tx, zone, rows, scheme, pointerOf)
  const messages = [...compiled.flatMap((rule) => rule.messages), ...findings]
  return { rules: rows.map(ruleWire), messages }
}
