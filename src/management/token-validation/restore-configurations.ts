import { agesInOrder, type Change, type Row } from '../store/index.js'

interface StoredConfiguration {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly token_sources: readonly string[]
  readonly keys: readonly {
    readonly alg: string
    readonly kid: string
    readonly secret_id?: string
  }[]
}

/**
 * Gives a zone the token configurations that an earlier version of its policy has. Secrets are kept
 * for as long as the history names them.
 */
export async function restoreConfigurations(
  { tx, zone, at }: Change & { readonly zone: Row<'zones'> },
  part: unknown,
): Promise<void> {
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
  for (const [index, { keys, token_sources, ...members }] of wanted.entries()) {
    const created_at = ages[index]!
    const columns = { ...members, token_sources: JSON.stringify(token_sources) }
    await tx
      .insertInto('token_configurations')
      .values({ zone_id, ...columns, created_at, updated_at: Math.max(at, created_at) })
      .execute()
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
