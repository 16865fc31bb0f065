import type { Kysely } from 'kysely'
import { addIndex } from './add-index.js'
import { withRequired } from './with-required.js'

/** Key sets that issuers publish, found by when they are fetched next. */
export async function remoteKeySets(db: Kysely<unknown>): Promise<void> {
  const sets = withRequired(
    db.schema.createTable('remote_key_sets').ifNotExists(),
    'text',
    'zone_id configuration_id uri keys findings',
  )
  await withRequired(sets, 'bigint', 'next_fetch_at claimed_until budget_level failures')
    .addColumn('fetched_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .addColumn('last_change', 'text')
    .addColumn('etag', 'text')
    .addColumn('last_modified', 'text')
    .addColumn('last_error', 'text')
    .addPrimaryKeyConstraint('remote_key_sets_key', ['zone_id', 'configuration_id'])
    .execute()
  await addIndex(db, 'remote_key_sets', 'next_fetch_at')
}
