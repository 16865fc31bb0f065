/** SHA-256 (FIPS 180-4) over texts of bytes, synchronous everywhere, with nothing of the platform. */

let initial: readonly number[] | undefined
let rounds: readonly number[] = []

/**
 * The first 32 bits behind the point of the roots of the first primes. None comes so close to a
 * rounding that the last bits of a double could matter.
 */
function roots(power: number): number[] {
  const primes: number[] = []
  for (let next = 2; primes.length < 64; next++) {
    if (primes.every((prime) => next % prime !== 0)) primes.push(next)
  }
  return primes.map((prime) => (prime ** power * 2 ** 32) | 0)
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by))
const mix = (word: number, x: number, y: number, z: number): number =>
  turn(word, x) ^ turn(word, y) ^ turn(word, z)

/** The digest of a text of bytes, 32 bytes. */
export function sha256(message: string): string {
  if (!initial) [initial, rounds] = [roots(1 / 2).slice(0, 8), roots(1 / 3)]
  const { length } = message
  const blocks = (length + 72) >> 6
  const view = new DataView(new ArrayBuffer(blocks * 64))
  for (let at = 0; at < length; at++) view.setUint8(at, message.charCodeAt(at))
  view.setUint8(length, 0x80)
  view.setBigUint64(blocks * 64 - 8, BigInt(length) * 8n)
  const w = new Int32Array(64)
  const state = Int32Array.from(initial)
  for (let block = 0; block < blocks; block++) {
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    for (let t = 0; t < 64; t++) {
      const [x, y] = [w[t - 15] ?? 0, w[t - 2] ?? 0]
      w[t] =
        t < 16
          ? view.getInt32(block * 64 + t * 4)
          : (w[t - 16] as number) +
            (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) +
            (w[t - 7] as number) +
            (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))
      const word = (rounds[t] as number) + (w[t] as number)
      const t1 = (h + mix(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + word) | 0
      const t2 = mix(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c))
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
      state[index] = (state[index] as number) + word
    }
  }
  let digest = ''
  for (const word of state) {
    for (const shift of [24, 16, 8, 0]) digest += String.fromCharCode((word >>> shift) & 255)
  }
  return digest
}

/** HMAC with SHA-256 (RFC 2104). */
export function hmacSha256(key: string, message: string): string {
  const block = (key.length > 64 ? sha256(key) : key).padEnd(64, '\0')
  const pad = (by: number): string =>
    block.replace(/[^]/g, (byte) => String.fromCharCode(byte.charCodeAt(0) ^ by))
  return sha256(pad(0x5c) + sha256(pad(0x36) + message))
}
