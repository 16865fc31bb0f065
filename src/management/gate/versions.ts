import { offsetOf, type Listed, type Page } from '../http/index.js'
import { snapshot, type Database, type Row } from '../store/index.js'

/** A version in the history, without what it is made of. */
export type Version = Omit<Row<'policy_versions'>, 'parts' | 'zone_id'>

const COLUMNS = ['version', 'hash', 'actor_id', 'created_at'] as const

const versionsOf = (db: Database, zoneId: string) =>
  db.selectFrom('policy_versions').select(COLUMNS).where('zone_id', '=', zoneId)

/** The version in force; `undefined` when there is no such zone. */
export const newestVersion = (db: Database, zoneId: string): Promise<Version | undefined> =>
  versionsOf(db, zoneId).orderBy('version', 'desc').limit(1).executeTakeFirst()

/** The oldest version that is kept. */
export const oldestVersion = (db: Database, zoneId: string): Promise<Version | undefined> =>
  versionsOf(db, zoneId).orderBy('version').limit(1).executeTakeFirst()

/** The history of a zone's policy, the newest first. */
export async function listVersions(
  db: Database,
  zoneId: string,
  page: Page,
): Promise<Listed<Version>> {
  return snapshot(db, async (tx) => {
    const newest = await newestVersion(tx, zoneId)
    const oldest = await oldestVersion(tx, zoneId)
    if (newest === undefined || oldest === undefined) return { items: [], total: 0, found: 0 }
    // Versions have no gaps, so a page is found without walking to it.
    const items = await versionsOf(tx, zoneId)
      .where('version', '<=', newest.version - offsetOf(page))
      .orderBy('version', 'desc')
      .limit(page.per_page)
      .execute()
    const total = newest.version - oldest.version + 1
    return { items, total, found: total }
  })
}
