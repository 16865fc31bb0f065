import type { Zone } from '../../edge/index.js'
import { edgeErrorsInForce } from '../edge-errors/index.js'
import { mergedKeys } from '../key-sets/index.js'
import { openSecrets, readPolicy, type PolicyParts, type Services } from '../store/index.js'

/** A version of a zone's policy as a gate takes it, secrets and all. */
export interface ZonePolicy {
  readonly version: number
  readonly hash: string
  /** Epoch µs. */
  readonly created_at: number
  readonly zone: Zone
}

interface StoredConfiguration {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly token_sources: readonly string[]
  readonly keys: readonly StoredKey[]
  readonly jwks_uri?: string
  readonly remote_keys?: readonly StoredKey[]
}

interface StoredKey {
  readonly alg: string
  readonly kid: string
  readonly secret_id?: string
}

interface StoredZone extends Pick<Zone, 'id' | 'name'> {
  readonly paused: boolean
  readonly upstream: string | null
  readonly settings: NonNullable<Zone['settings']>
  readonly lists: NonNullable<Zone['lists']>
}

/**
 * The stairs to the edge floor: stored configuration as the gate's policy document, the newest
 * version unless another is asked for. A paused zone has no rules.
 */
export async function zonePolicy(
  services: Pick<Services, 'db' | 'sealer'>,
  zoneId: string,
  version?: number,
): Promise<ZonePolicy | undefined> {
  const stored = await readPolicy(services.db, zoneId, version)
  if (stored === undefined) return undefined
  const { row, parts } = stored
  const document = await zoneDocument(services, parts)
  return {
    version: row.version,
    hash: row.hash,
    created_at: row.created_at,
    zone: (parts.zone as StoredZone).paused ? { ...document, rules: [] } : document,
  }
}

/** The document that the parts of a policy make, with the secrets in their places. */
export async function zoneDocument(
  { db, sealer }: Pick<Services, 'db' | 'sealer'>,
  parts: PolicyParts,
): Promise<Zone> {
  const { paused: _elsewhere, upstream, ...zone } = parts.zone as StoredZone
  const configurations = parts.token_configurations as readonly StoredConfiguration[]
  const ids = configurations.flatMap(({ keys }) => keys.flatMap(({ secret_id }) => secret_id ?? []))
  const secrets = await openSecrets(db, sealer, zone.id, ids)
  const edgeErrors = edgeErrorsInForce(parts.edge_errors)
  return {
    ...zone,
    ...(upstream !== null && { upstream }),
    token_configurations: configurations.map(
      ({ keys: fixed, jwks_uri, remote_keys = [], ...configuration }) => {
        const keys = fixed.map(({ secret_id, ...key }) =>
          secret_id === undefined ? key : { ...key, k: secrets.get(secret_id) },
        )
        const credentials =
          jwks_uri === undefined ? { keys } : { keys: mergedKeys(keys, remote_keys), jwks_uri }
        return { ...configuration, token_type: 'JWT', credentials }
      },
    ),
    operations: parts.operations as NonNullable<Zone['operations']>,
    rules: parts.rules as NonNullable<Zone['rules']>,
    ...(edgeErrors !== undefined && { edge_errors: edgeErrors }),
  }
}
