import { randomFillSync } from 'node:crypto'

/** Fills the bytes with randomness. */
export type FillRandom = (bytes: Uint8Array) => void

const BYTES = 8
const DIGITS = 2 * BYTES
/** Ids made at once: a kept one keeps the text of all of them. */
const BATCH = 64

/** A source of ray ids, 16 hex digits each; randomness is drawn for many at once. */
export function rayIds(fill: FillRandom = (bytes) => void randomFillSync(bytes)): () => string {
  const pool = Buffer.alloc(BYTES * BATCH)
  let ids = ''
  let at = 0
  return () => {
    if (at === ids.length) {
      fill(pool)
      ids = pool.toString('hex')
      at = 0
    }
    at += DIGITS
    return ids.slice(at - DIGITS, at)
  }
}
