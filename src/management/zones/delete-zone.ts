import type { z } from '@hono/zod-openapi'
import {
  changeZone,
  GONE,
  markAnew,
  newVersion,
  rowsRemoved,
  type Origin,
  type Services,
} from '../store/index.js'
import { zoneNamed } from './zone-named.js'
import type { Zone } from './zone-wire.js'

/** Tables whose rows belong to a zone. The audit log does not: it outlives it. */
const OF_A_ZONE = [
  'operations',
  'api_schemas',
  'token_configurations',
  'token_keys',
  'remote_key_sets',
  'secrets',
  'rules',
  'rule_hosts',
  'rule_configurations',
  'policy_versions',
  'policy_parts',
  'gate_instances',
  'error_rulesets',
  'error_pages',
  'error_branding',
] as const

/** Deletes a zone with everything in it. Its lines of the audit log stay. */
export async function deleteZone(
  { db, newId }: Services,
  before: z.input<typeof Zone>,
  by: Origin,
): Promise<void> {
  const origin = { ...by, zone_id: before.id, parts: [] }
  await changeZone(db, newId, origin, async ({ tx, zone, record, announce }) => {
    for (const table of OF_A_ZONE)
      await tx.deleteFrom(table).where('zone_id', '=', before.id).execute()
    await tx.deleteFrom('zones').where('id', '=', before.id).execute()
    await rowsRemoved(tx, 'zones', [zone])
    const scope = { column: 'zone_id', id: zone.id } as const
    await markAnew(tx, { table: 'operations', scope })
    await newVersion(tx, { table: 'rules', scope })
    record({ action: 'delete', ...zoneNamed(before), before })
    announce(before.id, GONE)
  })
}
