import type { Kysely } from 'kysely'
import { withRequired } from './with-required.js'

/** What gates tell of themselves. */
export async function gateInstances(db: Kysely<unknown>): Promise<void> {
  const instances = withRequired(
    db.schema.createTable('gate_instances').ifNotExists(),
    'text',
    'zone_id instance hash',
  )
  await withRequired(instances, 'bigint', 'version started_at last_seen')
    .addColumn('refused', 'text')
    .addPrimaryKeyConstraint('gate_instances_key', ['zone_id', 'instance'])
    .execute()
}
