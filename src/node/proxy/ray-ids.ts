import { randomFillSync } from 'node:crypto'

/** Fills the bytes with randomness. */
export type FillRandom = (bytes: Uint8Array) => void

const BYTES = 8
const DIGITS = 2 * BYTES
const BATCH = 512
/** Ids that are written as one text: who keeps one keeps all of them. */
const TOGETHER = 32

/** A source of ray ids, 16 hex digits each; randomness is drawn for many at once. */
export function rayIds(fill: FillRandom = (bytes) => void randomFillSync(bytes)): () => string {
  const pool = Buffer.alloc(BYTES * BATCH)
  let used = pool.length
  let ids = ''
  let at = 0
  return () => {
    if (at === ids.length) {
      if (used === pool.length) {
        fill(pool)
        used = 0
      }
      ids = pool.toString('hex', used, (used += BYTES * TOGETHER))
      at = 0
    }
    at += DIGITS
    return ids.slice(at - DIGITS, at)
  }
}
