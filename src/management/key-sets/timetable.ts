import type { KeySetRow } from './stored-key-sets.js'

// Epoch µs.
const SECOND = 1_000_000
const FIRST_RETRY = 5 * SECOND
const LAST_RETRY = 600 * SECOND
const DAY = 86_400 * SECOND

/** For so long after the last good answer its keys stay in force, whatever the issuer says then. */
export const MAX_STALE = 7 * DAY

/** When to fetch again what is fresh for `lifetime` µs: early enough, and not all sets at once. */
export const refreshAt = (at: number, lifetime: number, random: number): number =>
  Math.round(at + lifetime * (0.75 + 0.2 * random))

/** When to try again after so many failures, and at the latest when the keys expire. */
export function retryAt(row: KeySetRow, failures: number, at: number, random: number): number {
  const pause = Math.min(LAST_RETRY, FIRST_RETRY * 2 ** Math.min(failures - 1, 20))
  const next = Math.round(at + pause * (0.75 + 0.5 * random))
  const end = expiryOf(row)
  return end !== undefined && end > at ? Math.min(next, end) : next
}

/** When the keys of a set leave the policy, unless they are fetched again. */
export const expiryOf = ({ fetched_at, keys }: KeySetRow): number | undefined =>
  fetched_at === null || keys === '[]' ? undefined : fetched_at + MAX_STALE
