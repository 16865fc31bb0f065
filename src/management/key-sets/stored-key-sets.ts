import type { Change, Database, Row } from '../store/index.js'

/** A configuration of a zone, whose key set it is. */
export interface KeySetRef {
  readonly zone_id: string
  readonly configuration_id: string
}

export type KeySetRow = Row<'remote_key_sets'>

/** The key set of a configuration; `undefined` when it names none. */
export const keySetOf = (
  db: Database,
  { zone_id, configuration_id }: KeySetRef,
): Promise<KeySetRow | undefined> =>
  db
    .selectFrom('remote_key_sets')
    .selectAll()
    .where('zone_id', '=', zone_id)
    .where('configuration_id', '=', configuration_id)
    .executeTakeFirst()

/** The key sets of configurations of a zone, by configuration. */
export async function keySetsOf(
  db: Database,
  zoneId: string,
  configurations: readonly string[],
): Promise<ReadonlyMap<string, KeySetRow>> {
  if (configurations.length === 0) return new Map()
  const rows = await db
    .selectFrom('remote_key_sets')
    .selectAll()
    .where('zone_id', '=', zoneId)
    .where('configuration_id', 'in', configurations)
    .execute()
  return new Map(rows.map((row) => [row.configuration_id, row]))
}

/**
 * Makes this the address of a configuration's key set, or takes it away. What was fetched from
 * another address is forgotten; what was fetched from the same one stays.
 */
export async function writeKeySetUri(
  { tx, at }: Change,
  ref: KeySetRef,
  uri: string | null,
): Promise<void> {
  const { zone_id, configuration_id } = ref
  if (uri !== null && (await keySetOf(tx, ref))?.uri === uri) return
  await tx
    .deleteFrom('remote_key_sets')
    .where('zone_id', '=', zone_id)
    .where('configuration_id', '=', configuration_id)
    .execute()
  if (uri === null) return
  const row: KeySetRow = {
    zone_id,
    configuration_id,
    uri,
    keys: '[]',
    findings: '[]',
    last_change: null,
    etag: null,
    last_modified: null,
    fetched_at: null,
    expires_at: null,
    next_fetch_at: at,
    claimed_until: 0,
    budget_level: 0,
    failures: 0,
    last_error: null,
  }
  await tx.insertInto('remote_key_sets').values(row).execute()
}

/** Sets that are due, the longest first. */
export const dueKeySets = (
  db: Database,
  at: number,
  limit: number,
): Promise<readonly KeySetRef[]> =>
  db
    .selectFrom('remote_key_sets')
    .select(['zone_id', 'configuration_id'])
    .where('next_fetch_at', '<=', at)
    .where('claimed_until', '<=', at)
    .orderBy('next_fetch_at')
    .limit(limit)
    .execute()
