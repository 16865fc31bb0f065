import { moment, type Row } from '../store/index.js'
import type { StoredRule } from './stored-part.js'

/** A rule with how often it was changed, counted from 1, and when last (epoch µs). */
export interface KeptRule extends StoredRule {
  readonly version: number
  readonly updated_at: number
}

type RulesetRow = Row<'error_rulesets'>

/** The rules of a row in their order. */
export const rulesOf = ({ rules }: Pick<RulesetRow, 'rules'>): readonly KeptRule[] =>
  JSON.parse(rules)

/** What a rule says, without when it came to say so. */
export function saying({ version: _version, updated_at: _at, ...rule }: KeptRule): StoredRule {
  return rule
}

/** A rule as answers and the audit log show it. */
export const ruleWire = ({ id, ref, version, updated_at, ...rule }: KeptRule) => ({
  id,
  version: String(version),
  action: 'serve_error' as const,
  action_parameters: rule.action_parameters,
  expression: rule.expression,
  description: rule.description,
  enabled: rule.enabled,
  ref,
  last_updated: moment(updated_at),
})
