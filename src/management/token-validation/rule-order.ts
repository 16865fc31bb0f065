import { ApiError } from '../http/index.js'
import type { Transaction } from '../store/index.js'
import { CODES } from './codes.js'
import type { Position } from './rule-schema.js'

/** The last place in a zone's order of rules; 0 where there is none. */
export async function lastPlace(tx: Transaction, zoneId: string): Promise<number> {
  const last = await tx
    .selectFrom('rules')
    .select('position')
    .where('zone_id', '=', zoneId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.position ?? 0
}

/**
 * Moves a rule within the order; those in between move up or down by one.
 * @throws {ApiError} 400 for a place next to an unknown rule or to itself
 */
export async function moveRule(
  tx: Transaction,
  rule: { readonly zone_id: string; readonly id: string; readonly position: number },
  to: Position,
  base: string,
): Promise<void> {
  const { zone_id, id, position: from } = rule
  const target = await placeFor(tx, rule, to, base)
  if (target === from) return
  const down = target < from
  await tx
    .updateTable('rules')
    .set(({ eb }) => ({ position: eb('position', '+', down ? 1 : -1) }))
    .where('zone_id', '=', zone_id)
    .where('position', '>=', Math.min(target, from))
    .where('position', '<=', Math.max(target, from))
    .execute()
  await tx
    .updateTable('rules')
    .set({ position: target })
    .where('zone_id', '=', zone_id)
    .where('id', '=', id)
    .execute()
}

/** Closes the gap that a deleted rule leaves. */
export async function closeGap(tx: Transaction, zoneId: string, position: number): Promise<void> {
  await tx
    .updateTable('rules')
    .set(({ eb }) => ({ position: eb('position', '-', 1) }))
    .where('zone_id', '=', zoneId)
    .where('position', '>', position)
    .execute()
}

async function placeFor(
  tx: Transaction,
  { zone_id, id, position: from }: Parameters<typeof moveRule>[1],
  to: Position,
  base: string,
): Promise<number> {
  if ('index' in to) return Math.min(to.index, await lastPlace(tx, zone_id))
  const [name, other] = Object.entries(to)[0] as ['before' | 'after', string]
  const neighbour = await tx
    .selectFrom('rules')
    .select('position')
    .where('zone_id', '=', zone_id)
    .where('id', '=', other)
    .executeTakeFirst()
  if (neighbour === undefined || other === id)
    throw new ApiError(
      400,
      CODES.invalid_position,
      'expected the id of another rule of this zone',
      `${base}/position/${name}`,
    )
  const { position } = neighbour
  if (name === 'before') return from < position ? position - 1 : position
  return from < position ? position : position + 1
}
