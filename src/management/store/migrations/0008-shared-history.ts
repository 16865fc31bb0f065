import { sql, type Kysely } from 'kysely'
import { addIndex } from './add-index.js'

/**
 * Of what is in the history it is noted how long it is needed. Of old parts and secrets that nothing
 * names any more this is not known: they stay as long as today's version.
 */
export async function sharedHistory(db: Kysely<unknown>): Promise<void> {
  for (const table of ['policy_parts', 'secrets']) {
    await db.schema.alterTable(table).addColumn('last_version', 'bigint').execute()
    await addIndex(db, table, 'zone_id last_version')
  }
  await sql`
    update policy_parts set last_version =
      (select policy_version from zones where zones.id = policy_parts.zone_id)
    where not exists (
      select 1 from policy_versions
      join zones on zones.id = policy_versions.zone_id
        and zones.policy_version = policy_versions.version
      where zones.id = policy_parts.zone_id
        and policy_versions.parts like '%' || policy_parts.hash || '%'
    )
  `.execute(db)
  await sql`
    update secrets set last_version =
      (select policy_version from zones where zones.id = secrets.zone_id)
    where not exists (
      select 1 from token_keys
      where token_keys.zone_id = secrets.zone_id and token_keys.secret_id = secrets.id
    )
  `.execute(db)
}
