import type { Database, Row } from './database.js'
import { POLICY_PARTS, type PolicyPart, type PolicyParts } from './policy-part.js'
import { readParts } from './policy-pieces.js'
import { snapshot } from './snapshot.js'

/** A version of a zone's policy, the newest without `version`; `undefined` when there is none. */
export async function readPolicy(
  db: Database,
  zoneId: string,
  version?: number,
): Promise<{ readonly row: Row<'policy_versions'>; readonly parts: PolicyParts } | undefined> {
  return snapshot(db, async (tx) => {
    const versions = tx.selectFrom('policy_versions').selectAll().where('zone_id', '=', zoneId)
    const row = await (
      version === undefined
        ? versions.orderBy('version', 'desc').limit(1)
        : versions.where('version', '=', version)
    ).executeTakeFirst()
    if (row === undefined) return undefined
    const hashes: Partial<Record<PolicyPart, string>> = JSON.parse(row.parts)
    const partOf = await readParts(tx, zoneId, Object.values(hashes))
    const parts = POLICY_PARTS.map((name) => {
      const hash = hashes[name]
      return [name, hash === undefined ? undefined : partOf(hash)]
    })
    // Every name is there; `fromEntries` does not tell.
    return { row, parts: Object.fromEntries(parts) as PolicyParts }
  })
}
