/** Epoch µs between two fetches that are paid for, in the long run. */
export const INTERVAL = 10_000_000
/** Fetches that may follow one another at once. */
export const BURST = 3

/**
 * A token bucket in one number (the generic cell rate algorithm), so that processes share it in a
 * column: `level` is when the bucket is full again. Epoch µs throughout.
 *
 * @returns the next level, or how long to wait for a fetch
 */
export function take(
  level: number,
  at: number,
): { readonly level: number } | { readonly wait: number } {
  const wait = level - (BURST - 1) * INTERVAL - at
  return wait > 0 ? { wait } : { level: Math.max(level, at) + INTERVAL }
}
