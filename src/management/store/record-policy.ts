import type { Change } from './change.js'
import { composePart } from './compose-part.js'
import { inPieces, type Row, type Transaction } from './database.js'
import { digest } from './digest.js'
import { noteSecrets } from './history.js'
import { POLICY_PARTS, type PolicyPart } from './policy-part.js'
import { hashesOf, storedPart } from './policy-pieces.js'

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
    const { hash, texts } = await storedPart(name, await composePart(tx, zone, name))
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
