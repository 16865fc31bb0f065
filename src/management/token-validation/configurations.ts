import type { CheckedKey, PublicKey } from '../../edge/token/index.js'
import {
  ApiError,
  message,
  notFound,
  offsetOf,
  type Listed,
  type Message,
  type Page,
} from '../http/index.js'
import { keySetsOf, keySetSummary, writeKeySetUri } from '../key-sets/index.js'
import {
  changeZone,
  countOf,
  laterThanAll,
  moment,
  type Change,
  type Database,
  type Origin,
  type Row,
  type Services,
} from '../store/index.js'
import { CODES } from './codes.js'
import { MAX_CONFIGURATIONS, type Key, type TokenConfig } from './configuration-schema.js'
import { publicKeys, replaceKeys } from './stored-keys.js'

type ConfigurationRow = Row<'token_configurations'>

/** A configuration of a zone. */
export interface ConfigurationRef {
  readonly zone_id: string
  readonly id: string
}

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

const wire = (
  row: ConfigurationRow,
  keys: readonly PublicKey[],
  set: Row<'remote_key_sets'> | undefined,
  at: number | undefined,
): TokenConfig => ({
  id: row.id,
  created_at: moment(row.created_at),
  credentials: {
    keys: keys as Key[],
    ...(set && { jwks_uri: set.uri }),
    ...(set && at !== undefined && { key_set: keySetSummary(set, at) }),
  },
  description: row.description,
  last_updated: moment(row.updated_at),
  title: row.title,
  token_sources: JSON.parse(row.token_sources),
  token_type: 'JWT',
})

/** Configurations of a zone, the oldest first, with how it stands with their key sets. */
export async function listConfigurations(
  db: Database,
  zoneId: string,
  page: Page,
  at: number,
): Promise<Listed<TokenConfig>> {
  const all = db.selectFrom('token_configurations').where('zone_id', '=', zoneId)
  const rows = await all
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(page.per_page)
    .offset(offsetOf(page))
    .execute()
  const ids = rows.map(({ id }) => id)
  const keysOf = await publicKeys(db, zoneId, ids)
  const sets = await keySetsOf(db, zoneId, ids)
  const total = await countOf(all)
  const items = rows.map((row) => wire(row, keysOf(row.id), sets.get(row.id), at))
  return { items, found: total, total }
}

/**
 * A configuration; with `at` (epoch µs) also how it stands with its key set then.
 * @throws {ApiError} 404
 */
export async function getConfiguration(
  db: Database,
  { zone_id, id }: ConfigurationRef,
  at?: number,
): Promise<TokenConfig> {
  const row = await db
    .selectFrom('token_configurations')
    .selectAll()
    .where('zone_id', '=', zone_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw notFound('token configuration')
  const set = (await keySetsOf(db, zone_id, [id])).get(id)
  return wire(row, (await publicKeys(db, zone_id, [id]))(id), set, at)
}

const PARTS = ['token_configurations'] as const

/** @throws {ApiError} 400 when the zone has as many as it may have */
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

const columnsOf = ({ title, description, token_sources }: ConfigurationMembers) => ({
  title,
  description,
  token_sources: JSON.stringify(token_sources),
})

const named = (id: string) => ({ object_type: 'token_configuration', object_id: id })

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

/** @throws {ApiError} 404, or 409 with a message for everything that names the configuration */
export async function deleteConfiguration(
  { db, newId }: Services,
  ref: ConfigurationRef,
  origin: Origin,
): Promise<void> {
  const { zone_id, id } = ref
  await changeZone(db, newId, { ...origin, zone_id, parts: PARTS }, async (under) => {
    const { tx, zone, record } = under
    const before = await getConfiguration(tx, ref)
    const users = [...(await rulesNaming(tx, ref)), ...headersNaming(zone, id)]
    if (users.length > 0) {
      const text = `the token configuration is in use in ${users.length} places`
      throw ApiError.of(409, [message(CODES.in_use, text), ...users])
    }
    await tx
      .deleteFrom('token_keys')
      .where('zone_id', '=', zone_id)
      .where('configuration_id', '=', id)
      .execute()
    await writeKeySetUri(under, { zone_id, configuration_id: id }, null)
    await tx
      .deleteFrom('token_configurations')
      .where('zone_id', '=', zone_id)
      .where('id', '=', id)
      .execute()
    record({ action: 'delete', ...named(id), before })
  })
}

async function rulesNaming(
  tx: Change['tx'],
  { zone_id, id }: ConfigurationRef,
): Promise<readonly Message[]> {
  const rules = await tx
    .selectFrom('rule_configurations')
    .innerJoin('rules', (join) =>
      join
        .onRef('rules.zone_id', '=', 'rule_configurations.zone_id')
        .onRef('rules.id', '=', 'rule_configurations.rule_id'),
    )
    .select(['rules.id', 'rules.title'])
    .where('rule_configurations.zone_id', '=', zone_id)
    .where('configuration_id', '=', id)
    .orderBy('rules.position')
    .execute()
  return rules.map((rule) =>
    message(CODES.in_use, `the rule ${rule.id} (${JSON.stringify(rule.title)}) names it`),
  )
}

function headersNaming({ settings }: Row<'zones'>, id: string): readonly Message[] {
  const { claim_headers = [] } = JSON.parse(settings) as {
    claim_headers?: readonly { header: string; configuration_id: string }[]
  }
  return claim_headers
    .filter(({ configuration_id }) => configuration_id === id)
    .map(({ header }) => message(CODES.in_use, `the claim header ${header} names it`))
}
