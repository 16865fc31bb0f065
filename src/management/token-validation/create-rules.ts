import { changeZone, type Origin, type Services } from '../store/index.js'
import { schemeOf } from './compile-rule.js'
import { compileRules, type PointerOf } from './compile-rules.js'
import { ruleAudited, ruleNamed } from './rule-audit.js'
import { ruleColumns, type RuleInput } from './rule-columns.js'
import { lastPlace } from './rule-order.js'
import { rowsOf } from './rule-rows.js'
import { savedRules, type SavedRules } from './saved-rules.js'
import { settleRule } from './settle-rule.js'

const PARTS = ['rules'] as const

/** Adds rules, at the end unless they say where. All of them, or none. */
export async function createRules(
  { db, newId }: Services,
  zoneId: string,
  inputs: readonly RuleInput[],
  origin: Origin,
  pointerOf: PointerOf,
): Promise<SavedRules> {
  return changeZone(db, newId, { ...origin, zone_id: zoneId, parts: PARTS }, async (under) => {
    const { tx, at, actor, zone, record } = under
    const scheme = await schemeOf(tx, zone)
    const compiled = compileRules(inputs, scheme, pointerOf)
    const last = await lastPlace(tx, zoneId)
    const ids: string[] = []
    for (const [index, input] of inputs.entries()) {
      const id = newId()
      const placed = { zone_id: zoneId, id, position: last + index + 1 }
      const columns = { ...ruleColumns(input), modified_by: actor.name, updated_at: at }
      await tx
        .insertInto('rules')
        .values({ ...placed, ...columns, created_at: at })
        .execute()
      await settleRule(tx, placed, input, compiled[index]!, pointerOf(index))
      ids.push(id)
    }
    const rows = await rowsOf(tx, zoneId, ids)
    for (const row of rows) record({ action: 'create', ...ruleNamed(row), after: ruleAudited(row) })
    return savedRules(tx, zone, rows, compiled, scheme, pointerOf)
  })
}
