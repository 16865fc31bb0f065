import type { Kysely } from 'kysely'
import { addIndex } from './add-index.js'
import { withRequired } from './with-required.js'

/** Versions of policies, the parts that they share, and the audit log. */
export async function history(db: Kysely<unknown>): Promise<void> {
  const versions = withRequired(
    db.schema.createTable('policy_versions').ifNotExists(),
    'text',
    'zone_id hash parts actor_id',
  )
  await withRequired(versions, 'bigint', 'version created_at')
    .addPrimaryKeyConstraint('policy_versions_key', ['zone_id', 'version'])
    .execute()
  await withRequired(
    db.schema.createTable('policy_parts').ifNotExists(),
    'text',
    'zone_id hash body',
  )
    .addPrimaryKeyConstraint('policy_parts_key', ['zone_id', 'hash'])
    .execute()
  const audit = withRequired(
    db.schema.createTable('audit_log').ifNotExists(),
    'text',
    'id actor_id actor_name request_id action object_type object_id',
  )
  await withRequired(audit, 'bigint', 'at')
    .addColumn('account_id', 'text')
    .addColumn('zone_id', 'text')
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addPrimaryKeyConstraint('audit_log_key', ['id'])
    .execute()
  await addIndex(db, 'audit_log', 'account_id at id')
  await addIndex(db, 'audit_log', 'zone_id at id')
  await addIndex(db, 'audit_log', 'at id')
}
