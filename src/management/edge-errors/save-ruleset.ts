import { ApiError, CODES as COMMON, message, notFound, type Message } from '../http/index.js'
import { changeZone, type Database, type Origin, type Row, type Services } from '../store/index.js'
import { checkTotal } from './check-total.js'
import { CODES } from './codes.js'
import { unlessDry } from './dry-run.js'
import { judgeEdgeErrors } from './judge-edge-errors.js'
import { LIMITS } from './limits.js'
import { isPaid } from './paid-plan.js'
import { rulesOf, type KeptRule } from './ruleset-row.js'
import { settleRules, type Draft } from './settle-rules.js'
import { ruleOfPolicy } from './stored-part.js'
import { recordRuleset, writeRuleset } from './write-ruleset.js'

type RulesetRow = Row<'error_rulesets'>

/** What becomes of a ruleset. */
export interface RulesetEdit {
  readonly rules: readonly Draft[]
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** Where a rule stands in the call; `undefined` for those that it leaves alone. */
  readonly pointerOf: (rule: Draft, at: number) => string | undefined
}

/** Which change is made, and whether it is for trial only. */
export interface RulesetChange extends Origin {
  readonly zone_id: string
  readonly dry: boolean
}

const PARTS = ['edge_errors'] as const

/** The ruleset of a zone; `undefined` when there is none. */
export const findRuleset = (db: Database, zoneId: string): Promise<RulesetRow | undefined> =>
  db.selectFrom('error_rulesets').selectAll().where('zone_id', '=', zoneId).executeTakeFirst()

/**
 * Saves the ruleset of a zone as `edit` makes it of the one before. A trial gives null.
 * @throws {ApiError} 403 for rules on a free plan, 400 for rules that are none
 */
export async function saveRuleset(
  { db, newId }: Services,
  { dry, ...origin }: RulesetChange,
  edit: (before: RulesetRow | undefined, rules: readonly KeptRule[]) => RulesetEdit,
  note: (...messages: readonly Message[]) => void,
): Promise<RulesetRow | null> {
  return unlessDry(dry, (settle) =>
    changeZone(db, newId, { ...origin, parts: PARTS }, async (under) => {
      const { tx, zone, at } = under
      const before = await findRuleset(tx, zone.id)
      const known = before === undefined ? [] : rulesOf(before)
      const { rules: drafts, name, description, pointerOf } = edit(before, known)
      const places = drafts.map(pointerOf)
      const given = places.filter((place) => place !== undefined)
      if (given.length > 0 && !isPaid(zone.plan)) throw planRefused(given[0]!)
      const settled = settleRules(drafts, known, { newId, at }, (index) => places[index] ?? '')
      const rules = settled.rules.filter((_, index) => places[index] !== undefined)
      const judged = judgeEdgeErrors({ rules: rules.map(ruleOfPolicy) }, zone, (pointer) =>
        pointer.replace(/^\/rules\/(\d+)/, (_, index: string) => given[Number(index)]!),
      )
      const toldOf = new Set(settled.faults.map(({ source }) => source?.pointer))
      const more = judged.faults.filter(({ source }) => !toldOf.has(source?.pointer))
      const faults = [...settled.faults, ...more]
      if (faults.length > 0) throw ApiError.of(400, faults)
      if (settled.rules.length > LIMITS.rules)
        throw new ApiError(
          400,
          CODES.too_many,
          `a zone has at most ${LIMITS.rules} custom error rules`,
        )
      note(...judged.notices)
      const row = await writeRuleset(under, before, { rules: settled.rules, name, description })
      await checkTotal(tx, zone.id, given[0])
      settle()
      return row
    }),
  )
}

/** Rules are not to be had on a free plan. */
export function planRefused(pointer: string): ApiError {
  const text = 'custom error rules need a paid plan, and this zone has the plan free'
  // All of a list is refused, not its first rule.
  const place = pointer.replace(/\/0$/, '')
  return new ApiError(403, COMMON.forbidden, text, place === '' ? undefined : place)
}

/** @throws {ApiError} 404 */
export async function deleteRuleset(
  { db, newId }: Services,
  { dry, ...origin }: RulesetChange,
  id: string,
): Promise<{ readonly id: string } | null> {
  return unlessDry(dry, (settle) =>
    changeZone(db, newId, { ...origin, parts: PARTS }, async ({ tx, zone, record }) => {
      const before = await findRuleset(tx, zone.id)
      if (before?.id !== id) throw notFound('ruleset')
      await tx.deleteFrom('error_rulesets').where('zone_id', '=', zone.id).execute()
      recordRuleset({ record }, before, undefined)
      settle()
      return { id }
    }),
  )
}

/** What to tell of rules that the plan of their zone does not allow. */
export const notInForce = (row: RulesetRow, plan: string): readonly Message[] =>
  isPaid(plan) || rulesOf(row).length === 0
    ? []
    : [
        message(
          CODES.rules_not_in_force,
          `the plan ${plan} has no custom error rules: these are kept and not in force`,
          '/rules',
        ),
      ]
