import type { Kysely } from 'kysely'
import { addIndex } from './add-index.js'
import { withRequired } from './with-required.js'

/** Operations, token configurations with their keys and secrets, and rules with what they use. */
export async function tokenValidation(db: Kysely<unknown>): Promise<void> {
  const operations = withRequired(
    db.schema.createTable('operations').ifNotExists(),
    'text',
    'zone_id id method host endpoint match_key',
  )
  await withRequired(operations, 'bigint', 'created_at')
    .addPrimaryKeyConstraint('operations_key', ['zone_id', 'id'])
    .addUniqueConstraint('operations_match', ['zone_id', 'match_key'])
    .execute()
  await addIndex(db, 'operations', 'zone_id created_at id')
  await addIndex(db, 'operations', 'zone_id host method')
  const configurations = withRequired(
    db.schema.createTable('token_configurations').ifNotExists(),
    'text',
    'zone_id id title description token_sources',
  )
  await withRequired(configurations, 'bigint', 'created_at updated_at')
    .addPrimaryKeyConstraint('token_configurations_key', ['zone_id', 'id'])
    .execute()
  await withRequired(
    withRequired(
      db.schema.createTable('token_keys').ifNotExists(),
      'text',
      'zone_id configuration_id alg kid public_key',
    ),
    'integer',
    'position',
  )
    .addColumn('secret_id', 'text')
    .addPrimaryKeyConstraint('token_keys_key', ['zone_id', 'configuration_id', 'alg', 'kid'])
    .execute()
  const secrets = withRequired(
    db.schema.createTable('secrets').ifNotExists(),
    'text',
    'zone_id id sealed',
  )
  await withRequired(secrets, 'bigint', 'created_at')
    .addPrimaryKeyConstraint('secrets_key', ['zone_id', 'id'])
    .execute()
  const rules = withRequired(
    db.schema.createTable('rules').ifNotExists(),
    'text',
    'zone_id id title description action expression selector modified_by',
  )
  await withRequired(rules, 'bigint', 'position enabled created_at updated_at')
    .addPrimaryKeyConstraint('rules_key', ['zone_id', 'id'])
    .execute()
  await addIndex(db, 'rules', 'zone_id position id')
  for (const [table, column] of [
    ['rule_hosts', 'host'],
    ['rule_configurations', 'configuration_id'],
  ] as const) {
    await withRequired(
      db.schema.createTable(table).ifNotExists(),
      'text',
      `zone_id ${column} rule_id`,
    )
      .addPrimaryKeyConstraint(`${table}_key`, ['zone_id', column, 'rule_id'])
      .execute()
    await addIndex(db, table, 'zone_id rule_id')
  }
}
