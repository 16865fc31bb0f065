import { ruleWire, type RuleRow } from './rule-rows.js'
import type { RuleKey } from './rule-uses.js'

/** A rule as an object of the audit log. */
export const ruleNamed = ({ id }: RuleKey) => ({
  object_type: 'token_validation_rule',
  object_id: id,
})

/** What the audit log tells of a rule: of a change of order the position is all there is to see. */
export const ruleAudited = (row: RuleRow): object => ({ ...ruleWire(row), position: row.position })
