/** Between two attempts to start a worker, the first and the longest. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000
/** For a worker that lived so long, whatever ended it, the next one need not wait. */
const LIVED_MS = 10_000

/**
 * How many milliseconds to wait before a worker is started in the place of one that lived so many:
 * none after one that worked, and twice as long each time while they end soon.
 */
export function createBackoff(): (livedMs: number) => number {
  let nextMs = FIRST_PAUSE_MS
  return (livedMs) => {
    if (livedMs > LIVED_MS) {
      nextMs = FIRST_PAUSE_MS
      return 0
    }
    const pauseMs = nextMs
    nextMs = Math.min(2 * nextMs, LONGEST_PAUSE_MS)
    return pauseMs
  }
}
