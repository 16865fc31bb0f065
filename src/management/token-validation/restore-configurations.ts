import { writeKeySetUri } from '../key-sets/index.js'
import { agesInOrder, type Change, type Row } from '../store/index.js'

interface StoredConfiguration {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly token_sources: readonly string[]
  readonly jwks_uri?: string
  readonly remote_keys?: unknown
  readonly keys: readonly {
    readonly alg: string
    readonly kid: string
    readonly secret_id?: string
  }[]
}

/**
 * Gives a zone the token configurations that an earlier version of its policy has. Secrets are kept
 * for as long as the history names them. Of a remote key set the address comes back; which keys are
 * in it says the issuer, now as then.
 */
export async function restoreConfigurations(
  change: Change & { readonly zone: Row<'zones'> },
  part: unknown,
): Promise<void> {
  const { tx, zone, at } = change
  const wanted = part as readonly StoredConfiguration[]
  const zone_id = zone.id
  const there = await tx
    .selectFrom('token_configurations')
    .select(['id', 'created_at'])
    .where('zone_id', '=', zone_id)
    .execute()
  for (const table of ['token_keys', 'token_configurations'] as const)
    await tx.deleteFrom(table).where('zone_id', '=', zone_id).execute()
  const ages = agesInOrder(
    wanted.map(({ id }) => id),
    new Map(there.map(({ id, created_at }) => [id, created_at])),
    at,
  )
  const kept = new Set(wanted.map(({ id }) => id))
  for (const { id } of there)
    if (!kept.has(id)) await writeKeySetUri(change, { zone_id, configuration_id: id }, null)
  for (const [index, configuration] of wanted.entries()) {
    const { keys, token_sources, jwks_uri, remote_keys: _then, ...members } = configuration
    const created_at = ages[index]!
    const columns = { ...members, token_sources: JSON.stringify(token_sources) }
    await tx
      .insertInto('token_configurations')
      .values({ zone_id, ...columns, created_at, updated_at: Math.max(at, created_at) })
      .execute()
    const set = { zone_id, configuration_id: members.id }
    await writeKeySetUri(change, set, jwks_uri ?? null)
    const rows = keys.map(({ secret_id = null, ...key }, position) => ({
      zone_id,
      configuration_id: members.id,
      alg: key.alg,
      kid: key.kid,
      position,
      public_key: JSON.stringify(key),
      secret_id,
    }))
    if (rows.length > 0) await tx.insertInto('token_keys').values(rows).execute()
  }
}
