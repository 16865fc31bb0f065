import type { CheckedKey } from '../../edge/token/index.js'
import { ApiError } from '../http/index.js'
import { writeKeySetUri } from '../key-sets/index.js'
import {
  changeZone,
  countOf,
  laterThanAll,
  type Change,
  type Origin,
  type Services,
} from '../store/index.js'
import { CODES } from './codes.js'
import { getConfiguration, type ConfigurationRef } from './configuration-rows.js'
import { MAX_CONFIGURATIONS, type TokenConfig } from './configuration-schema.js'
import { replaceKeys } from './stored-keys.js'

/** Members of a configuration besides its keys. */
export interface ConfigurationMembers {
  readonly title: string
  readonly description: string
  readonly token_sources: readonly string[]
}

/** The keys of a configuration, and where its issuer publishes more. */
export interface ConfigurationCredentials {
  readonly keys: readonly CheckedKey[]
  readonly jwks_uri: string | null
}

const PARTS = ['token_configurations'] as const

/**
 * Adds a configuration with its keys, and where its issuer publishes more.
 * @throws {ApiError} 400 when the zone has as many as it may have
 */
export async function createConfiguration(
  services: Services,
  zoneId: string,
  members: ConfigurationMembers,
  { keys, jwks_uri }: ConfigurationCredentials,
  origin: Origin,
): Promise<TokenConfig> {
  const { db, newId } = services
  const id = newId()
  return changeZone(db, newId, { ...origin, zone_id: zoneId, parts: PARTS }, async (under) => {
    const there = under.tx.selectFrom('token_configurations').where('zone_id', '=', zoneId)
    if ((await countOf(there)) >= MAX_CONFIGURATIONS)
      throw new ApiError(
        400,
        CODES.too_many,
        `a zone has at most ${MAX_CONFIGURATIONS} token configurations`,
      )
    const at = await laterThanAll(under.tx, 'token_configurations', zoneId, origin.at)
    const row = {
      ...columnsOf(members),
      zone_id: zoneId,
      id,
      created_at: at,
      updated_at: at,
    }
    await under.tx.insertInto('token_configurations').values(row).execute()
    await replaceKeys(under, services, zoneId, id, keys)
    await writeKeySetUri(under, { zone_id: zoneId, configuration_id: id }, jwks_uri)
    const after = await getConfiguration(under.tx, row)
    under.record({ action: 'create', ...named(id), after })
    return after
  })
}

/** Changes members of a configuration, or its keys. Nothing given is nothing changed. */
export async function updateConfiguration(
  services: Services,
  ref: ConfigurationRef,
  origin: Origin,
  update: (change: Change, before: TokenConfig) => Promise<Partial<ConfigurationMembers>>,
): Promise<TokenConfig> {
  const { db, newId } = services
  const { zone_id, id } = ref
  return changeZone(db, newId, { ...origin, zone_id, parts: PARTS }, async (under) => {
    const before = await getConfiguration(under.tx, ref)
    const members = { ...before, ...(await update(under, before)) }
    await under.tx
      .updateTable('token_configurations')
      .set({ ...columnsOf(members), updated_at: origin.at })
      .where('zone_id', '=', zone_id)
      .where('id', '=', id)
      .execute()
    const after = await getConfiguration(under.tx, ref)
    under.record({ action: 'update', ...named(id), before, after })
    return after
  })
}

const columnsOf = ({ title, description, token_sources }: ConfigurationMembers) => ({
  title,
  description,
  token_sources: JSON.stringify(token_sources),
})

const named = (id: string) => ({ object_type: 'token_configuration', object_id: id })
