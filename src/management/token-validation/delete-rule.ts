import { changeZone, type Origin, type Services } from '../store/index.js'
import { ruleAudited, ruleNamed } from './rule-audit.js'
import { closeGap } from './rule-order.js'
import { getRule } from './rule-rows.js'
import { deleteUses } from './rule-uses.js'

/** @throws {ApiError} 404 */
export async function deleteRule(
  { db, newId }: Services,
  zoneId: string,
  id: string,
  origin: Origin,
): Promise<void> {
  const change = { ...origin, zone_id: zoneId, parts: ['rules'] as const }
  await changeZone(db, newId, change, async ({ tx, record }) => {
    const row = await getRule(tx, zoneId, id)
    await tx.deleteFrom('rules').where('zone_id', '=', zoneId).where('id', '=', id).execute()
    await deleteUses(tx, row)
    await closeGap(tx, zoneId, row.position)
    record({ action: 'delete', ...ruleNamed(row), before: ruleAudited(row) })
  })
}
