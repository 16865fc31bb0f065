import { ApiError, CODES as COMMON, message } from '../http/index.js'
import { changeZone, type Origin, type Services } from '../store/index.js'
import { schemeOf } from './compile-rule.js'
import { compileRules, type PointerOf } from './compile-rules.js'
import { ruleAudited, ruleNamed } from './rule-audit.js'
import { ruleColumns, type RuleInput } from './rule-columns.js'
import { rowsOf, ruleWire, type RuleRow } from './rule-rows.js'
import type { UpdateRule } from './rule-schema.js'
import { savedRules, type SavedRules } from './saved-rules.js'
import { settleRule } from './settle-rule.js'

/** A change of a rule. */
export type RuleUpdate = UpdateRule & { readonly id: string }

const PARTS = ['rules'] as const

/**
 * Changes rules, one after another. All of them, or none.
 * @throws {ApiError} 404 for a rule that is not there
 */
export async function updateRules(
  { db, newId }: Services,
  zoneId: string,
  updates: readonly RuleUpdate[],
  origin: Origin,
  pointerOf: PointerOf,
): Promise<SavedRules> {
  return changeZone(db, newId, { ...origin, zone_id: zoneId, parts: PARTS }, async (under) => {
    const { tx, at, actor, zone, record } = under
    const scheme = await schemeOf(tx, zone)
    const ids = updates.map(({ id }) => id)
    const before = await rowsOf(tx, zoneId, ids)
    checkThere(ids, before, pointerOf)
    const inputs = inputsOf(updates, before)
    const compiled = compileRules(inputs, scheme, pointerOf)
    for (const [index, input] of inputs.entries()) {
      const key = { zone_id: zoneId, id: updates[index]!.id }
      const columns = { ...ruleColumns(input), modified_by: actor.name, updated_at: at }
      const { position } = await tx
        .updateTable('rules')
        .set(columns)
        .where('zone_id', '=', zoneId)
        .where('id', '=', key.id)
        .returning('position')
        .executeTakeFirstOrThrow()
      await settleRule(tx, { ...key, position }, input, compiled[index]!, pointerOf(index))
    }
    const rows = await rowsOf(tx, zoneId, ids)
    for (const [index, row] of rows.entries())
      record({
        action: 'update',
        ...ruleNamed(row),
        before: ruleAudited(before[index]!),
        after: ruleAudited(row),
      })
    return savedRules(tx, zone, rows, compiled, scheme, pointerOf)
  })
}

function checkThere(ids: readonly string[], rows: readonly RuleRow[], pointerOf: PointerOf): void {
  const missing = ids.flatMap((id, index) =>
    rows.some((row) => row.id === id)
      ? []
      : [message(COMMON.not_found, 'there is no such rule', `${pointerOf(index)}/id`)],
  )
  if (missing.length > 0) throw ApiError.of(404, missing)
}

/** What rules say after each update: one rule may be updated more than once. */
function inputsOf(
  updates: readonly RuleUpdate[],
  before: readonly RuleRow[],
): readonly RuleInput[] {
  const latest = new Map<string, RuleInput>(before.map((row) => [row.id, ruleWire(row)]))
  return updates.map((update) => {
    const given = Object.entries(update).filter(([, value]) => value !== undefined)
    const input = { ...latest.get(update.id)!, position: undefined, ...Object.fromEntries(given) }
    latest.set(update.id, input)
    return input
  })
}
