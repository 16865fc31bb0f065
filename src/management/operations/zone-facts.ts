import { notFound } from '../http/index.js'
import type { Database } from '../store/index.js'

/** What of a zone decides how its operations are kept. */
export interface ZoneFacts {
  readonly name: string
  readonly mergeSlashes: boolean
}

/**
 * Reads them.
 * @throws {ApiError} 404 when there is no such zone, or it is gone since somebody looked
 */
export async function zoneFacts(db: Database, zoneId: string): Promise<ZoneFacts> {
  const { name, settings } = await db
    .selectFrom('zones')
    .select(['name', 'settings'])
    .where('id', '=', zoneId)
    .executeTakeFirstOrThrow(() => notFound('zone'))
  const { merge_slashes: mergeSlashes = true } = JSON.parse(settings) as { merge_slashes?: boolean }
  return { name, mergeSlashes }
}
