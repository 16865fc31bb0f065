import type { Transaction } from './database.js'

/**
 * A time at which to add rows to a zone: now, or right after the newest row where clocks are too
 * coarse to tell them apart. So the order of times is that of adding.
 */
export async function laterThanAll(
  tx: Transaction,
  table: 'operations' | 'token_configurations',
  zoneId: string,
  at: number,
): Promise<number> {
  const newest = await tx
    .selectFrom(table)
    .select('created_at')
    .where('zone_id', '=', zoneId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return Math.max(at, (newest?.created_at ?? 0) + 1)
}
