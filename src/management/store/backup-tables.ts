import { MIGRATIONS } from './migrations.js'
import type { Schema } from './schema.js'

/** Which gates run is no configuration: they tell it again. */
export type Kept = Exclude<keyof Schema, 'gate_instances'>

/** Every table that is kept, with its key: what its rows are read along. */
export const TABLES: Readonly<Record<Kept, readonly string[]>> = {
  accounts: ['id'],
  zones: ['id'],
  api_tokens: ['id'],
  operations: ['zone_id', 'id'],
  api_schemas: ['zone_id', 'id'],
  token_configurations: ['zone_id', 'id'],
  token_keys: ['zone_id', 'configuration_id', 'alg', 'kid'],
  remote_key_sets: ['zone_id', 'configuration_id'],
  secrets: ['zone_id', 'id'],
  rules: ['zone_id', 'id'],
  rule_hosts: ['zone_id', 'host', 'rule_id'],
  rule_configurations: ['zone_id', 'configuration_id', 'rule_id'],
  error_rulesets: ['zone_id'],
  error_pages: ['zone_id', 'identifier'],
  error_branding: ['zone_id'],
  policy_versions: ['zone_id', 'version'],
  policy_parts: ['zone_id', 'hash'],
  audit_log: ['id'],
  list_marks: ['list', 'start'],
}
export const NAMES = Object.keys(TABLES) as readonly Kept[]

export type AnyRow = Readonly<Record<string, string | number | null>>

/** The first line of a backup. The newest migration tells what its rows look like. */
export const HEADER = {
  format: 'portcullis-backup-1',
  schema: Object.keys(MIGRATIONS).toSorted().at(-1),
}
