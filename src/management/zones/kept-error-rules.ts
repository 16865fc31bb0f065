import { message, type Message } from '../http/index.js'
import type { Transaction } from '../store/index.js'

/** Custom error rules that a plan does not allow are kept, and told of. */
const RULES_NOT_IN_FORCE = 130301

/** What to tell of a zone whose plan became free: its custom error rules stay, without effect. */
export async function keptErrorRules(tx: Transaction, zoneId: string): Promise<readonly Message[]> {
  const row = await tx
    .selectFrom('error_rulesets')
    .select('rules')
    .where('zone_id', '=', zoneId)
    .executeTakeFirst()
  const count = row === undefined ? 0 : (JSON.parse(row.rules) as readonly unknown[]).length
  if (count === 0) return []
  const text = `the plan free has no custom error rules: the ${count} of this zone are kept and not in force`
  return [message(RULES_NOT_IN_FORCE, text, '/plan/id')]
}
