import { ApiError } from '../http/index.js'
import type { Row, Transaction } from '../store/index.js'
import { judgeEdgeErrors, type ZoneWords } from './judge-edge-errors.js'
import { rulesOf } from './ruleset-row.js'
import { ruleOfPolicy } from './stored-part.js'

/**
 * Compiles all error rules of a zone, in force or not, for settings that it is to have.
 * @throws {ApiError} 400 for those that do not compile with them
 */
export async function checkErrorRules(
  tx: Transaction,
  zone: Pick<Row<'zones'>, 'id'> & ZoneWords,
): Promise<void> {
  const row = await tx
    .selectFrom('error_rulesets')
    .select('rules')
    .where('zone_id', '=', zone.id)
    .executeTakeFirst()
  if (row === undefined) return
  const rules = rulesOf(row).map(ruleOfPolicy)
  const { faults } = judgeEdgeErrors({ rules }, zone, (pointer) => `/edge_errors${pointer}`)
  if (faults.length > 0) throw ApiError.of(400, faults)
}
