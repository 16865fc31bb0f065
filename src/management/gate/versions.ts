import { offsetOf, type Listed, type Page } from '../http/index.js'
import { countOf, type Database, type Row } from '../store/index.js'

/** A version in the history, without what it is made of. */
export type Version = Omit<Row<'policy_versions'>, 'parts' | 'zone_id'>

const COLUMNS = ['version', 'hash', 'actor_id', 'created_at'] as const

const versionsOf = (db: Database, zoneId: string) =>
  db.selectFrom('policy_versions').select(COLUMNS).where('zone_id', '=', zoneId)

/** The version in force; `undefined` when there is no such zone. */
export const newestVersion = (db: Database, zoneId: string): Promise<Version | undefined> =>
  versionsOf(db, zoneId).orderBy('version', 'desc').limit(1).executeTakeFirst()

/** The history of a zone's policy, the newest first. */
export async function listVersions(
  db: Database,
  zoneId: string,
  page: Page,
): Promise<Listed<Version>> {
  const all = versionsOf(db, zoneId)
  const items = await all
    .orderBy('version', 'desc')
    .limit(page.per_page)
    .offset(offsetOf(page))
    .execute()
  const total = await countOf(all)
  return { items, total, found: total }
}
