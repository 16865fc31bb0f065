import type { Database, Transaction } from './database.js'
import type { Sealer } from './sealed.js'

const PAGE = 200

/** What a sealed secret is bound to: moved to another row it does not open. */
const contextOf = (zoneId: string, id: string): string => `${zoneId}/${id}`

/** Stores a secret under a new id, sealed. */
export async function keepSecret(
  tx: Transaction,
  sealer: Sealer,
  row: { readonly zone_id: string; readonly id: string; readonly created_at: number },
  secret: string,
): Promise<void> {
  const sealed = await sealer.seal(secret, contextOf(row.zone_id, row.id))
  await tx
    .insertInto('secrets')
    .values({ ...row, sealed, last_version: null })
    .execute()
}

/** The secrets of a zone by id, opened. Hand them to nothing that answers or logs. */
export async function openSecrets(
  db: Database,
  sealer: Sealer,
  zoneId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('secrets')
    .select(['id', 'sealed'])
    .where('zone_id', '=', zoneId)
    .where('id', 'in', ids)
    .execute()
  const opened = rows.map(
    async ({ id, sealed }) => [id, await sealer.open(sealed, contextOf(zoneId, id))] as const,
  )
  return new Map(await Promise.all(opened))
}

/** Seals anew whatever an older key of the ring sealed, and tells how many secrets that were. */
export async function resealSecrets(db: Database, sealer: Sealer): Promise<number> {
  let resealed = 0
  let last = { zone_id: '', id: '' }
  for (;;) {
    const rows = await db
      .selectFrom('secrets')
      .select(['zone_id', 'id', 'sealed'])
      .where((eb) =>
        eb.or([
          eb('zone_id', '>', last.zone_id),
          eb.and([eb('zone_id', '=', last.zone_id), eb('id', '>', last.id)]),
        ]),
      )
      .orderBy('zone_id')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    const old = rows.filter(({ sealed }) => !sealer.isCurrent(sealed))
    await db.transaction().execute(async (tx) => {
      for (const { zone_id, id, sealed } of old) {
        const context = contextOf(zone_id, id)
        await tx
          .updateTable('secrets')
          .set({ sealed: await sealer.seal(await sealer.open(sealed, context), context) })
          .where('zone_id', '=', zone_id)
          .where('id', '=', id)
          .execute()
      }
    })
    resealed += old.length
    const end = rows.at(-1)
    if (end === undefined || rows.length < PAGE) return resealed
    last = end
  }
}

/**
 * Runs something while no secret can be sealed, unless an older key of the ring has sealed one of
 * those that are there. Tells how many such secrets there are: it was run when there is none.
 */
export async function whileSealedAnew(
  db: Database,
  sealer: Sealer,
  run: () => Promise<void>,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    // Whoever seals does it in a change of a zone, which holds the lock of its row.
    await tx
      .updateTable('zones')
      .set(({ ref }) => ({ policy_version: ref('policy_version') }))
      .execute()
    const rows = await tx.selectFrom('secrets').select('sealed').execute()
    const old = rows.filter(({ sealed }) => !sealer.isCurrent(sealed)).length
    if (old === 0) await run()
    return old
  })
}
