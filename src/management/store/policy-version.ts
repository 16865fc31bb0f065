import type { Change } from './change.js'
import { inPieces, type Database, type Row, type Transaction } from './database.js'
import { digest } from './digest.js'
import { noteSecrets } from './history.js'
import { hashesOf, readParts, storedPart } from './policy-pieces.js'
import { snapshot } from './snapshot.js'

/** What a zone's policy is made of. Each part is stored once for all versions that share it. */
export type PolicyPart = 'zone' | 'token_configurations' | 'operations' | 'rules' | 'edge_errors'

/** Parts by name, parsed. Of a symmetric key the secret's id stands in place of the secret. */
export type PolicyParts = Readonly<Record<PolicyPart, unknown>>

const COMPOSE: Readonly<
  Record<PolicyPart, (tx: Transaction, zone: Row<'zones'>) => Promise<unknown>>
> = {
  async zone(tx, { id }) {
    const row = await tx
      .selectFrom('zones')
      .select(['id', 'name', 'paused', 'upstream', 'settings', 'lists'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return {
      ...row,
      paused: row.paused === 1,
      settings: JSON.parse(row.settings),
      lists: JSON.parse(row.lists),
    }
  },

  async token_configurations(tx, { id }) {
    const configurations = await tx
      .selectFrom('token_configurations')
      .select(['id', 'title', 'description', 'token_sources'])
      .where('zone_id', '=', id)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    const keys = await tx
      .selectFrom('token_keys')
      .select(['configuration_id', 'public_key', 'secret_id'])
      .where('zone_id', '=', id)
      .orderBy('configuration_id')
      .orderBy('position')
      .execute()
    const remote = await tx
      .selectFrom('remote_key_sets')
      .select(['configuration_id', 'uri as jwks_uri', 'keys as remote_keys'])
      .where('zone_id', '=', id)
      .execute()
    const sets = new Map(
      remote.map(({ configuration_id, jwks_uri, remote_keys }) => [
        configuration_id,
        { jwks_uri, remote_keys: JSON.parse(remote_keys) },
      ]),
    )
    return configurations.map((configuration) => ({
      ...configuration,
      ...sets.get(configuration.id),
      token_sources: JSON.parse(configuration.token_sources),
      keys: keys
        .filter(({ configuration_id }) => configuration_id === configuration.id)
        .map(({ public_key, secret_id }) => ({
          ...JSON.parse(public_key),
          ...(secret_id !== null && { secret_id }),
        })),
    }))
  },

  operations: (tx, { id }) =>
    tx
      .selectFrom('operations')
      .select(['id as operation_id', 'method', 'host', 'endpoint'])
      .where('zone_id', '=', id)
      .orderBy('created_at')
      .orderBy('id')
      .execute(),

  async rules(tx, { id }) {
    const rows = await tx
      .selectFrom('rules')
      .select(['id', 'title', 'description', 'action', 'enabled', 'expression', 'selector'])
      .where('zone_id', '=', id)
      .orderBy('position')
      .execute()
    return rows.map((row) => ({
      ...row,
      enabled: row.enabled === 1,
      selector: JSON.parse(row.selector),
    }))
  },

  async edge_errors(tx, { id }) {
    const { plan } = await tx
      .selectFrom('zones')
      .select('plan')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const ruleset = await tx
      .selectFrom('error_rulesets')
      .select('rules')
      .where('zone_id', '=', id)
      .executeTakeFirst()
    const pages = await tx
      .selectFrom('error_pages')
      .select(['identifier', 'url', 'content'])
      .where('zone_id', '=', id)
      .orderBy('identifier')
      .execute()
    const look = await tx
      .selectFrom('error_branding')
      .select('branding')
      .where('zone_id', '=', id)
      .executeTakeFirst()
    return {
      plan,
      // When a rule was changed, and how often, is nothing to a gate.
      rules: (JSON.parse(ruleset?.rules ?? '[]') as readonly object[]).map((rule) => ({
        ...rule,
        version: undefined,
        updated_at: undefined,
      })),
      pages,
      branding: look === undefined ? null : JSON.parse(look.branding),
    }
  },
}

export const POLICY_PARTS = Object.keys(COMPOSE) as readonly PolicyPart[]

/** Makes the next version of a zone's policy of the parts that changed; none when nothing did. */
export async function recordPolicy(
  { tx, at, actor, announce }: Change,
  zone: Row<'zones'>,
  changed: readonly PolicyPart[],
): Promise<void> {
  if (changed.length === 0) return
  const before = await partsOf(tx, zone)
  const parts: Record<string, string> = { ...before.parts }
  const [old, kept] = [new Set<string>(), new Map<string, string>()]
  for (const name of changed) {
    const { hash, texts } = await storedPart(name, await COMPOSE[name](tx, zone))
    const was = parts[name]
    if (was === hash) continue
    parts[name] = hash
    for (const [each, text] of texts) kept.set(each, text)
    for (const each of was === undefined ? [] : await hashesOf(tx, zone.id, was)) old.add(each)
  }
  const text = JSON.stringify(Object.fromEntries(POLICY_PARTS.map((name) => [name, parts[name]])))
  const hash = await digest(text)
  if (hash === before.hash) return
  const inUse = new Set([...kept.keys(), ...Object.values(parts)])
  await keepParts(
    tx,
    zone.id,
    [...kept].filter(([each]) => !old.has(each)),
  )
  await leaveParts(
    tx,
    zone,
    [...old].filter((each) => !inUse.has(each)),
  )
  if (changed.includes('token_configurations')) await noteSecrets(tx, zone.id, zone.policy_version)
  const version = zone.policy_version + 1
  await tx
    .insertInto('policy_versions')
    .values({ zone_id: zone.id, version, hash, parts: text, actor_id: actor.id, created_at: at })
    .execute()
  await tx.updateTable('zones').set({ policy_version: version }).where('id', '=', zone.id).execute()
  announce(zone.id, version)
}

/** The hashes of the parts of a zone's newest version, by name: equal hash, equal part. */
export async function partsOf(
  tx: Transaction,
  zone: Row<'zones'>,
): Promise<{ readonly hash?: string; readonly parts: Readonly<Record<string, string>> }> {
  const row = await tx
    .selectFrom('policy_versions')
    .select(['parts', 'hash'])
    .where('zone_id', '=', zone.id)
    .where('version', '=', zone.policy_version)
    .executeTakeFirst()
  return row === undefined ? { parts: {} } : { hash: row.hash, parts: JSON.parse(row.parts) }
}

async function keepParts(
  tx: Transaction,
  zone_id: string,
  parts: readonly (readonly [hash: string, body: string])[],
): Promise<void> {
  const rows = parts.map(([hash, body]) => ({ zone_id, hash, body, last_version: null }))
  for (const piece of inPieces(rows))
    await tx
      .insertInto('policy_parts')
      .values(piece)
      .onConflict((conflict) =>
        conflict.columns(['zone_id', 'hash']).doUpdateSet({ last_version: null }),
      )
      .execute()
}

/** Parts that the newest version has, and the next has not. */
async function leaveParts(
  tx: Transaction,
  zone: Row<'zones'>,
  hashes: readonly string[],
): Promise<void> {
  for (const piece of inPieces(hashes))
    await tx
      .updateTable('policy_parts')
      .set({ last_version: zone.policy_version })
      .where('zone_id', '=', zone.id)
      .where('hash', 'in', piece)
      .execute()
}

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
    const hashes: Record<PolicyPart, string> = JSON.parse(row.parts)
    const partOf = await readParts(tx, zoneId, Object.values(hashes))
    const parts = POLICY_PARTS.map((name) => [name, partOf(hashes[name])])
    return { row, parts: Object.fromEntries(parts) as PolicyParts }
  })
}

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
