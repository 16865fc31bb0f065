import type { CheckedKey, PublicKey } from '../../edge/token/index.js'
import {
  keepSecret,
  openSecrets,
  type Change,
  type Database,
  type Row,
  type Sealer,
  type Services,
} from '../store/index.js'
import { keyName } from '../key-sets/index.js'
import { publicKeyOf } from './key-input.js'

/** The keys of configurations as answers show them, by configuration. */
export async function publicKeys(
  db: Database,
  zoneId: string,
  configurations: readonly string[],
): Promise<(id: string) => PublicKey[]> {
  if (configurations.length === 0) return () => []
  const rows = await keyRows(db, zoneId, configurations)
  const keys = new Map<string, PublicKey[]>(configurations.map((id) => [id, []]))
  for (const { configuration_id, public_key } of rows)
    keys.get(configuration_id)?.push(JSON.parse(public_key))
  return (id) => keys.get(id) ?? []
}

const keyRows = (
  db: Database,
  zoneId: string,
  configurations: readonly string[],
): Promise<readonly Row<'token_keys'>[]> =>
  db
    .selectFrom('token_keys')
    .selectAll()
    .where('zone_id', '=', zoneId)
    .where('configuration_id', 'in', configurations)
    .orderBy('position')
    .execute()

/** The keys of a configuration with their secrets, by identity. For no answer and no log. */
export async function storedKeys(
  db: Database,
  sealer: Sealer,
  zoneId: string,
  configurationId: string,
): Promise<ReadonlyMap<string, CheckedKey & { readonly secret_id: string | null }>> {
  const rows = await keyRows(db, zoneId, [configurationId])
  const ids = rows.flatMap(({ secret_id }) => secret_id ?? [])
  const secrets = await openSecrets(db, sealer, zoneId, ids)
  return new Map(
    rows.map(({ public_key, secret_id }) => {
      const key = JSON.parse(public_key) as CheckedKey
      const whole = secret_id === null ? key : { ...key, k: secrets.get(secret_id) }
      return [keyName(key), { ...whole, secret_id } as CheckedKey & { secret_id: string | null }]
    }),
  )
}

/** Makes these keys the whole set of a configuration. An unchanged secret stays where it is. */
export async function replaceKeys(
  { tx, at }: Change,
  { sealer, newId }: Services,
  zoneId: string,
  configurationId: string,
  keys: readonly CheckedKey[],
): Promise<void> {
  const before = await storedKeys(tx, sealer, zoneId, configurationId)
  await tx
    .deleteFrom('token_keys')
    .where('zone_id', '=', zoneId)
    .where('configuration_id', '=', configurationId)
    .execute()
  const rows: Row<'token_keys'>[] = []
  for (const [position, key] of keys.entries()) {
    const { alg, kid } = key
    const public_key = JSON.stringify(publicKeyOf(key))
    const owner = { zone_id: zoneId, configuration_id: configurationId }
    rows.push({ ...owner, alg, kid, position, public_key, secret_id: await secretOf(key) })
  }
  if (rows.length > 0) await tx.insertInto('token_keys').values(rows).execute()

  async function secretOf(key: CheckedKey): Promise<string | null> {
    if (key.kty !== 'oct') return null
    const known = before.get(keyName(key))
    if (known?.kty === 'oct' && known.k === key.k) return known.secret_id
    const id = newId()
    await keepSecret(tx, sealer, { zone_id: zoneId, id, created_at: at }, key.k)
    return id
  }
}
