import { ApiError, CODES } from '../http/index.js'
import { oldestVersion } from './versions.js'
import {
  changeZone,
  POLICY_PARTS,
  readPolicy,
  type Change,
  type Origin,
  type PolicyPart,
  type Row,
  type Services,
} from '../store/index.js'

/** Makes a zone's rows what a part of an earlier policy says. Each area knows its own. */
export type Restore = (
  change: Change & { readonly zone: Row<'zones'> },
  part: unknown,
) => Promise<void>

/** In this order: rules need everything else. */
export type Restores = Readonly<Record<PolicyPart, Restore>>
const ORDER: readonly PolicyPart[] = [
  'zone',
  'token_configurations',
  'operations',
  'rules',
  'edge_errors',
]

/**
 * Makes the configuration of a zone what it was in an earlier version, which becomes a new version
 * of its policy; none when nothing differs.
 *
 * @throws {ApiError} 400 for a version that there is not, or that is not possible any more; 404 for
 * one that is no longer kept
 */
export async function rollBack(
  { db, newId }: Pick<Services, 'db' | 'newId'>,
  restores: Restores,
  { zone_id, version }: { readonly zone_id: string; readonly version: number },
  origin: Origin,
): Promise<void> {
  await changeZone(db, newId, { ...origin, zone_id, parts: POLICY_PARTS }, async (under) => {
    const stored = await readPolicy(under.tx, zone_id, version)
    if (stored === undefined) throw await noVersion(under, version)
    for (const part of ORDER) await restores[part](under, stored.parts[part])
    under.record({
      action: 'update',
      object_type: 'policy',
      object_id: zone_id,
      before: { version: under.zone.policy_version },
      after: { restored: version },
    })
  })
}

async function noVersion({ tx, zone }: Parameters<Restore>[0], version: number): Promise<ApiError> {
  const oldest = await oldestVersion(tx, zone.id)
  if (oldest === undefined || version > oldest.version)
    return new ApiError(400, CODES.invalid_value, 'there is no such version', '/version')
  const text = `version ${version} is no longer kept: the history begins with version ${oldest.version}`
  return new ApiError(404, CODES.not_found, text, '/version')
}
