import { randomFillSync } from 'node:crypto'

/** Fills the bytes with randomness. */
export type FillRandom = (bytes: Uint8Array) => void

const BYTES = 8
const BATCH = 512

/** A source of ray ids, 16 hex digits each; randomness is drawn for many at once. */
export function rayIds(fill: FillRandom = (bytes) => void randomFillSync(bytes)): () => string {
  const pool = Buffer.alloc(BYTES * BATCH)
  let at = pool.length
  return () => {
    if (at === pool.length) {
      fill(pool)
      at = 0
    }
    at += BYTES
    return pool.toString('hex', at - BYTES, at)
  }
}
