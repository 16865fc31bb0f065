import type { Database, Row } from './database.js'

/** Which version of a zone's policy is the newest. */
export type PolicyHead = Pick<Row<'policy_versions'>, 'zone_id' | 'version' | 'hash' | 'created_at'>

/** The newest version of every zone, without reading any. */
export const policyHeads = (db: Database): Promise<readonly PolicyHead[]> =>
  db
    .selectFrom('zones')
    .innerJoin('policy_versions', (join) =>
      join
        .onRef('policy_versions.zone_id', '=', 'zones.id')
        .onRef('policy_versions.version', '=', 'zones.policy_version'),
    )
    .select(['zone_id', 'version', 'hash', 'policy_versions.created_at'])
    .orderBy('zones.name')
    .execute()
