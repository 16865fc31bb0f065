import type { Kysely } from 'kysely'
import { addIndex } from './add-index.js'
import { withRequired } from './with-required.js'

/** Accounts, zones, and API tokens that are found by the beginning of their hash. */
export async function zonesAndTokens(db: Kysely<unknown>): Promise<void> {
  const accounts = withRequired(
    db.schema.createTable('accounts').ifNotExists(),
    'text',
    'id name type',
  )
  await withRequired(accounts, 'bigint', 'created_at updated_at')
    .addPrimaryKeyConstraint('accounts_key', ['id'])
    .execute()
  const zones = withRequired(
    db.schema.createTable('zones').ifNotExists(),
    'text',
    'id account_id name type settings lists',
  )
  await withRequired(
    zones,
    'bigint',
    'paused policy_version operation_count rule_count created_at updated_at',
  )
    .addColumn('upstream', 'text')
    .addPrimaryKeyConstraint('zones_key', ['id'])
    .addUniqueConstraint('zones_name', ['name'])
    .execute()
  await addIndex(db, 'zones', 'account_id name id')
  const tokens = withRequired(
    db.schema.createTable('api_tokens').ifNotExists(),
    'text',
    'id name hash lookup policies status',
  )
  await withRequired(tokens, 'bigint', 'created_at updated_at')
    .addColumn('not_before', 'bigint')
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('created_by', 'text')
    .addPrimaryKeyConstraint('api_tokens_key', ['id'])
    .addUniqueConstraint('api_tokens_hash', ['hash'])
    .execute()
  await addIndex(db, 'api_tokens', 'lookup')
}
