import type { Database } from '../store/index.js'
import { take } from './budget.js'
import { keySetOf, type KeySetRef, type KeySetRow } from './stored-key-sets.js'

/** Longer than a fetch takes (µs): whose process died has lost its claim by then. */
const LEASE = 30_000_000
/** When (µs) to look whether another process is done. */
const BUSY = 500_000

/** A fetch that nobody else does meanwhile, or when (epoch µs) to try again. */
export type Claim =
  | { readonly kind: 'claimed'; readonly row: KeySetRow }
  | { readonly kind: 'later'; readonly at: number }
  | { readonly kind: 'gone' }

/**
 * Claims the next fetch of a set among all processes of a database.
 *
 * @param asked somebody asked for it, which the budget pays; otherwise it has to be due
 */
export async function claim(
  db: Database,
  ref: KeySetRef,
  at: number,
  asked: boolean,
): Promise<Claim> {
  for (;;) {
    const row = await keySetOf(db, ref)
    if (row === undefined) return { kind: 'gone' }
    if (row.claimed_until > at) return { kind: 'later', at: Math.min(row.claimed_until, at + BUSY) }
    if (!asked && row.next_fetch_at > at) return { kind: 'later', at: row.next_fetch_at }
    const paid = asked ? take(row.budget_level, at) : { level: row.budget_level }
    if ('wait' in paid) return { kind: 'later', at: at + paid.wait }
    const columns = { claimed_until: at + LEASE, budget_level: paid.level }
    const { numUpdatedRows } = await db
      .updateTable('remote_key_sets')
      .set(columns)
      .where('zone_id', '=', row.zone_id)
      .where('configuration_id', '=', row.configuration_id)
      .where('uri', '=', row.uri)
      .where('claimed_until', '=', row.claimed_until)
      .where('budget_level', '=', row.budget_level)
      .where('next_fetch_at', '=', row.next_fetch_at)
      .executeTakeFirst()
    // Somebody else was quicker: look again.
    if (numUpdatedRows === 1n) return { kind: 'claimed', row: { ...row, ...columns } }
  }
}
