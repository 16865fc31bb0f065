import {
  sql,
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Kysely,
  type Migration,
} from 'kysely'
import type { Database } from './database.js'
import { fillMarks } from './fill-marks.js'
import { MARKED_TABLES, scopesOf } from './marked-list.js'
import { listVersions } from './migrations/0010-list-versions.js'

/** The schema's history, in order. One list for SQLite and Postgres; never edit a released entry. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_zones_and_tokens': { up: zonesAndTokens },
  '0002_token_validation': { up: tokenValidation },
  '0003_history': { up: history },
  '0004_gate_instances': { up: gateInstances },
  '0005_api_schemas': { up: apiSchemas },
  '0006_remote_key_sets': { up: remoteKeySets },
  '0007_list_marks': { up: listMarks },
  '0008_shared_history': { up: sharedHistory },
  '0009_edge_errors': { up: edgeErrors },
  '0010_list_versions': { up: listVersions },
}

type Table = CreateTableBuilder<string, string>
type AnyDatabase = Kysely<unknown>

/** Columns that hold a value in every row. */
function required(table: Table, type: 'text' | 'bigint' | 'integer', names: string): Table {
  return names.split(' ').reduce((so, name) => so.addColumn(name, type, notNull), table)
}

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

async function zonesAndTokens(db: AnyDatabase): Promise<void> {
  const accounts = required(db.schema.createTable('accounts').ifNotExists(), 'text', 'id name type')
  await required(accounts, 'bigint', 'created_at updated_at')
    .addPrimaryKeyConstraint('accounts_key', ['id'])
    .execute()
  const zones = required(
    db.schema.createTable('zones').ifNotExists(),
    'text',
    'id account_id name type settings lists',
  )
  await required(
    zones,
    'bigint',
    'paused policy_version operation_count rule_count created_at updated_at',
  )
    .addColumn('upstream', 'text')
    .addPrimaryKeyConstraint('zones_key', ['id'])
    .addUniqueConstraint('zones_name', ['name'])
    .execute()
  await index(db, 'zones', 'account_id name id')
  const tokens = required(
    db.schema.createTable('api_tokens').ifNotExists(),
    'text',
    'id name hash lookup policies status',
  )
  await required(tokens, 'bigint', 'created_at updated_at')
    .addColumn('not_before', 'bigint')
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('created_by', 'text')
    .addPrimaryKeyConstraint('api_tokens_key', ['id'])
    .addUniqueConstraint('api_tokens_hash', ['hash'])
    .execute()
  await index(db, 'api_tokens', 'lookup')
}

async function tokenValidation(db: AnyDatabase): Promise<void> {
  const operations = required(
    db.schema.createTable('operations').ifNotExists(),
    'text',
    'zone_id id method host endpoint match_key',
  )
  await required(operations, 'bigint', 'created_at')
    .addPrimaryKeyConstraint('operations_key', ['zone_id', 'id'])
    .addUniqueConstraint('operations_match', ['zone_id', 'match_key'])
    .execute()
  await index(db, 'operations', 'zone_id created_at id')
  await index(db, 'operations', 'zone_id host method')
  const configurations = required(
    db.schema.createTable('token_configurations').ifNotExists(),
    'text',
    'zone_id id title description token_sources',
  )
  await required(configurations, 'bigint', 'created_at updated_at')
    .addPrimaryKeyConstraint('token_configurations_key', ['zone_id', 'id'])
    .execute()
  await required(
    required(
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
  const secrets = required(
    db.schema.createTable('secrets').ifNotExists(),
    'text',
    'zone_id id sealed',
  )
  await required(secrets, 'bigint', 'created_at')
    .addPrimaryKeyConstraint('secrets_key', ['zone_id', 'id'])
    .execute()
  const rules = required(
    db.schema.createTable('rules').ifNotExists(),
    'text',
    'zone_id id title description action expression selector modified_by',
  )
  await required(rules, 'bigint', 'position enabled created_at updated_at')
    .addPrimaryKeyConstraint('rules_key', ['zone_id', 'id'])
    .execute()
  await index(db, 'rules', 'zone_id position id')
  for (const [table, column] of [
    ['rule_hosts', 'host'],
    ['rule_configurations', 'configuration_id'],
  ] as const) {
    await required(db.schema.createTable(table).ifNotExists(), 'text', `zone_id ${column} rule_id`)
      .addPrimaryKeyConstraint(`${table}_key`, ['zone_id', column, 'rule_id'])
      .execute()
    await index(db, table, 'zone_id rule_id')
  }
}

async function history(db: AnyDatabase): Promise<void> {
  const versions = required(
    db.schema.createTable('policy_versions').ifNotExists(),
    'text',
    'zone_id hash parts actor_id',
  )
  await required(versions, 'bigint', 'version created_at')
    .addPrimaryKeyConstraint('policy_versions_key', ['zone_id', 'version'])
    .execute()
  await required(db.schema.createTable('policy_parts').ifNotExists(), 'text', 'zone_id hash body')
    .addPrimaryKeyConstraint('policy_parts_key', ['zone_id', 'hash'])
    .execute()
  const audit = required(
    db.schema.createTable('audit_log').ifNotExists(),
    'text',
    'id actor_id actor_name request_id action object_type object_id',
  )
  await required(audit, 'bigint', 'at')
    .addColumn('account_id', 'text')
    .addColumn('zone_id', 'text')
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addPrimaryKeyConstraint('audit_log_key', ['id'])
    .execute()
  await index(db, 'audit_log', 'account_id at id')
  await index(db, 'audit_log', 'zone_id at id')
  await index(db, 'audit_log', 'at id')
}

async function gateInstances(db: AnyDatabase): Promise<void> {
  const instances = required(
    db.schema.createTable('gate_instances').ifNotExists(),
    'text',
    'zone_id instance hash',
  )
  await required(instances, 'bigint', 'version started_at last_seen')
    .addColumn('refused', 'text')
    .addPrimaryKeyConstraint('gate_instances_key', ['zone_id', 'instance'])
    .execute()
}

async function apiSchemas(db: AnyDatabase): Promise<void> {
  const schemas = required(
    db.schema.createTable('api_schemas').ifNotExists(),
    'text',
    'zone_id id name kind source',
  )
  await required(schemas, 'bigint', 'validation_enabled created_at updated_at')
    .addPrimaryKeyConstraint('api_schemas_key', ['zone_id', 'id'])
    .execute()
  await index(db, 'api_schemas', 'zone_id created_at id')
}

async function remoteKeySets(db: AnyDatabase): Promise<void> {
  const sets = required(
    db.schema.createTable('remote_key_sets').ifNotExists(),
    'text',
    'zone_id configuration_id uri keys findings',
  )
  await required(sets, 'bigint', 'next_fetch_at claimed_until budget_level failures')
    .addColumn('fetched_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .addColumn('last_change', 'text')
    .addColumn('etag', 'text')
    .addColumn('last_modified', 'text')
    .addColumn('last_error', 'text')
    .addPrimaryKeyConstraint('remote_key_sets_key', ['zone_id', 'configuration_id'])
    .execute()
  await index(db, 'remote_key_sets', 'next_fetch_at')
}

async function edgeErrors(db: AnyDatabase): Promise<void> {
  const rulesets = required(
    db.schema.createTable('error_rulesets').ifNotExists(),
    'text',
    'zone_id id name description rules',
  )
  await required(rulesets, 'bigint', 'version created_at updated_at')
    .addPrimaryKeyConstraint('error_rulesets_key', ['zone_id'])
    .execute()
  const pages = required(
    db.schema.createTable('error_pages').ifNotExists(),
    'text',
    'zone_id identifier content',
  )
  await required(pages, 'bigint', 'created_at updated_at')
    .addColumn('url', 'text')
    .addPrimaryKeyConstraint('error_pages_key', ['zone_id', 'identifier'])
    .execute()
  const branding = required(
    db.schema.createTable('error_branding').ifNotExists(),
    'text',
    'zone_id branding',
  )
  await required(branding, 'bigint', 'updated_at')
    .addPrimaryKeyConstraint('error_branding_key', ['zone_id'])
    .execute()
  // SQLite has no `if not exists` for a column, and a migration may have been cut off after it.
  const zones = (await db.introspection.getTables()).find(({ name }) => name === 'zones')
  if (zones?.columns.every(({ name }) => name !== 'plan'))
    await db.schema
      .alterTable('zones')
      .addColumn('plan', 'text', (column) => column.notNull().defaultTo('free'))
      .execute()
}

/** Every list and every order of operations has an index that it is read along. */
async function listMarks(db: AnyDatabase): Promise<void> {
  const marks = required(db.schema.createTable('list_marks').ifNotExists(), 'text', 'list start')
  await required(marks, 'bigint', 'n')
    .addPrimaryKeyConstraint('list_marks_key', ['list', 'start'])
    .execute()
  await db.schema.dropIndex('operations_by_zone_id_host_method').ifExists().execute()
  for (const column of ['host', 'method', 'endpoint'])
    await index(db, 'operations', `zone_id ${column} created_at id`)
  await index(db, 'accounts', 'name id')
  await index(db, 'zones', 'name id')
  await index(db, 'api_tokens', 'created_at id')
  for (const table of MARKED_TABLES)
    for (const column of scopesOf(table)) await fillMarks(db as Database, table, column)
}

/**
 * Of what is in the history it is noted how long it is needed. Of old parts and secrets that nothing
 * names any more this is not known: they stay as long as today's version.
 */
async function sharedHistory(db: AnyDatabase): Promise<void> {
  for (const table of ['policy_parts', 'secrets']) {
    await db.schema.alterTable(table).addColumn('last_version', 'bigint').execute()
    await index(db, table, 'zone_id last_version')
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

async function index(db: AnyDatabase, table: string, columns: string): Promise<void> {
  const names = columns.split(' ')
  await db.schema
    .createIndex(`${table}_by_${names.join('_')}`)
    .ifNotExists()
    .on(table)
    .columns(names)
    .execute()
}
