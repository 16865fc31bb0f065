/** Gives at least 8 random bytes. */
export type RandomBytes = () => Uint8Array

const RAY = /^[0-9a-f]{16}(-[A-Z]{3})?$/

// A call of the generator costs more than all the rest of an answer: one call for 128 ids.
const pool = new Uint8Array(1024)
let used = pool.length

const webRandom: RandomBytes = () => {
  if (used === pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  return pool.subarray(used, (used += 8))
}

/**
 * The trace id of a response as the `cf-ray` header carries it: 16 hex digits, perhaps with a
 * site suffix (`9f140b785e57c458-SJC`). An id of any other shape is replaced by a random one.
 */
export function rayId(given: string | undefined, random: RandomBytes = webRandom): string {
  if (given !== undefined && RAY.test(given)) return given
  const { buffer, byteOffset } = random()
  return new DataView(buffer, byteOffset).getBigUint64(0).toString(16).padStart(16, '0')
}
