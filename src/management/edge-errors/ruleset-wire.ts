import type { z } from '@hono/zod-openapi'
import { notFound, type Call } from '../http/index.js'
import { moment, type Database, type Row } from '../store/index.js'
import { rulesOf, ruleWire } from './ruleset-row.js'
import { PHASE, type Ruleset, type RulesetHead } from './ruleset-schema.js'
import { notInForce } from './save-ruleset.js'

type RulesetRow = Row<'error_rulesets'>

/** A ruleset without its rules, as answers show it. */
export const rulesetHeadWire = (row: RulesetRow): z.input<typeof RulesetHead> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  kind: 'zone',
  phase: PHASE,
  version: String(row.version),
  last_updated: moment(row.updated_at),
})

/** A ruleset as answers show it. */
export const rulesetWire = (row: RulesetRow): z.input<typeof Ruleset> => ({
  ...rulesetHeadWire(row),
  rules: rulesOf(row).map(ruleWire),
})

/**
 * The same, and to the caller what its zone's plan keeps out of force.
 * @throws {ApiError} 404 when the zone is gone since somebody looked
 */
export async function shownRuleset(
  db: Database,
  call: Call<unknown, unknown>,
  row: RulesetRow,
): Promise<z.input<typeof Ruleset>> {
  const { plan } = await db
    .selectFrom('zones')
    .select('plan')
    .where('id', '=', row.zone_id)
    .executeTakeFirstOrThrow(() => notFound('zone'))
  call.note(...notInForce(row, plan))
  return rulesetWire(row)
}
