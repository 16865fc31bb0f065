import type { Database, Transaction } from './database.js'

/** How much of the history of each zone's policy is kept: a version goes when neither holds it. */
export interface HistoryLimits {
  /** So many of the newest versions, at least one. */
  readonly versions: number
  /** All versions younger than that. */
  readonly days: number
}

const DEFAULTS: HistoryLimits = { versions: 1000, days: 30 }
const DAY = 86_400_000_000

/** What one change clears away at most, so that none is held up by the past. */
const VERSIONS_A_STEP = 20
const PARTS_A_STEP = 500

/** By database, as its owner said. */
const limits = new WeakMap<Database, HistoryLimits>()

/** Sets how much of the history changes through this database keep. */
export function keepHistory(db: Database, { versions, days }: Partial<HistoryLimits>): void {
  const given = { versions: versions ?? DEFAULTS.versions, days: days ?? DEFAULTS.days }
  if (!(given.versions >= 1) || !(given.days >= 0))
    throw new TypeError('expected to keep at least one version, and no negative number of days')
  limits.set(db, given)
}

export const historyLimits = (db: Database): HistoryLimits => limits.get(db) ?? DEFAULTS

/** Removes some of the oldest versions that need not be kept, and what only they were made of. */
export async function pruneHistory(
  tx: Transaction,
  zoneId: string,
  { versions, days }: HistoryLimits,
  at: number,
): Promise<void> {
  const newest = await newestVersion(tx, zoneId)
  const oldest = await tx
    .selectFrom('policy_versions')
    .select(['version', 'created_at'])
    .where('zone_id', '=', zoneId)
    .orderBy('version')
    .limit(VERSIONS_A_STEP)
    .execute()
  const kept = oldest.find(
    ({ version, created_at }) => version > newest - versions || created_at >= at - days * DAY,
  )
  const first = kept?.version ?? (oldest.at(-1)?.version ?? 0) + 1
  if (first !== oldest[0]?.version)
    await tx
      .deleteFrom('policy_versions')
      .where('zone_id', '=', zoneId)
      .where('version', '<', first)
      .execute()
  await tx
    .deleteFrom('policy_parts')
    .where('zone_id', '=', zoneId)
    .where('hash', 'in', ({ selectFrom }) =>
      selectFrom('policy_parts as past')
        .select('past.hash')
        .where('past.zone_id', '=', zoneId)
        .where('past.last_version', '<', first)
        .limit(PARTS_A_STEP),
    )
    .execute()
  await tx
    .deleteFrom('secrets')
    .where('zone_id', '=', zoneId)
    .where('last_version', '<', first)
    .execute()
}

async function newestVersion(tx: Transaction, zoneId: string): Promise<number> {
  const row = await tx
    .selectFrom('zones')
    .select('policy_version')
    .where('id', '=', zoneId)
    .executeTakeFirst()
  return row?.policy_version ?? 0
}

/** Notes for the secrets of a zone whether its policy still names them, or up to which version. */
export async function noteSecrets(
  tx: Transaction,
  zoneId: string,
  versionBefore: number,
): Promise<void> {
  const secrets = tx.updateTable('secrets').where('zone_id', '=', zoneId)
  const named = tx
    .selectFrom('token_keys')
    .select('secret_id')
    .where('zone_id', '=', zoneId)
    .where('secret_id', 'is not', null)
  await secrets
    .set({ last_version: versionBefore })
    .where('last_version', 'is', null)
    .where('id', 'not in', named)
    .execute()
  await secrets
    .set({ last_version: null })
    .where('last_version', 'is not', null)
    .where('id', 'in', named)
    .execute()
}
