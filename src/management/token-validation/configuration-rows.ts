import type { PublicKey } from '../../edge/token/index.js'
import { notFound, offsetOf, type Listed, type Page } from '../http/index.js'
import { keySetsOf, keySetSummary } from '../key-sets/index.js'
import { countOf, moment, type Database, type Row } from '../store/index.js'
import type { Key, TokenConfig } from './configuration-schema.js'
import { publicKeys } from './stored-keys.js'

type ConfigurationRow = Row<'token_configurations'>

/** A configuration of a zone. */
export interface ConfigurationRef {
  readonly zone_id: string
  readonly id: string
}

/** Configurations of a zone, the oldest first, with how it stands with their key sets. */
export async function listConfigurations(
  db: Database,
  zoneId: string,
  page: Page,
  at: number,
): Promise<Listed<TokenConfig>> {
  const all = db.selectFrom('token_configurations').where('zone_id', '=', zoneId)
  const rows = await all
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(page.per_page)
    .offset(offsetOf(page))
    .execute()
  const ids = rows.map(({ id }) => id)
  const keysOf = await publicKeys(db, zoneId, ids)
  const sets = await keySetsOf(db, zoneId, ids)
  const total = await countOf(all)
  const items = rows.map((row) => wire(row, keysOf(row.id), sets.get(row.id), at))
  return { items, found: total, total }
}

/**
 * A configuration; with `at` (epoch µs) also how it stands with its key set then.
 * @throws {ApiError} 404
 */
export async function getConfiguration(
  db: Database,
  { zone_id, id }: ConfigurationRef,
  at?: number,
): Promise<TokenConfig> {
  const row = await db
    .selectFrom('token_configurations')
    .selectAll()
    .where('zone_id', '=', zone_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw notFound('token configuration')
  const set = (await keySetsOf(db, zone_id, [id])).get(id)
  return wire(row, (await publicKeys(db, zone_id, [id]))(id), set, at)
}

const wire = (
  row: ConfigurationRow,
  keys: readonly PublicKey[],
  set: Row<'remote_key_sets'> | undefined,
  at: number | undefined,
): TokenConfig => ({
  id: row.id,
  created_at: moment(row.created_at),
  credentials: {
    keys: keys as Key[],
    ...(set && { jwks_uri: set.uri }),
    ...(set && at !== undefined && { key_set: keySetSummary(set, at) }),
  },
  description: row.description,
  last_updated: moment(row.updated_at),
  title: row.title,
  token_sources: JSON.parse(row.token_sources),
  token_type: 'JWT',
})
