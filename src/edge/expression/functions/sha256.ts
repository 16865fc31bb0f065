/** SHA-256 (FIPS 180-4) over texts of bytes, synchronous everywhere, with nothing of the platform. */

let constants: readonly (readonly number[])[] | undefined

/**
 * The first 32 bits behind the point of the roots of the first primes. None comes so close to a
 * rounding that the last bits of a double could matter.
 */
function roots(degree: number): number[] {
  const primes: number[] = []
  for (let next = 2; primes.length < 64; next++) {
    if (primes.every((prime) => next % prime !== 0)) primes.push(next)
  }
  return primes.map((prime) => (prime ** (1 / degree) * 2 ** 32) | 0)
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by))
const mix = (word: number, x: number, y: number, z: number): number =>
  turn(word, x) ^ turn(word, y) ^ turn(word, z)

/** The digest of a text of bytes, 32 bytes. */
export function sha256(message: string): string {
  const [initial = [], rounds = []] = (constants ??= [roots(2).slice(0, 8), roots(3)])
  const blocks = (message.length + 72) >> 6
  const words = new Int32Array(blocks * 16)
  for (const [at, byte] of [...message, '\x80'].entries()) {
    words[at >> 2]! |= byte.charCodeAt(0) << (24 - (at & 3) * 8)
  }
  words[blocks * 16 - 1] = message.length * 8
  let state = initial
  for (let block = 0; block < blocks; block++) {
    const w = [...words.subarray(block * 16, block * 16 + 16)]
    let [a, b, c, d, e, f, g, h] = state as Octet
    for (let t = 0; t < 64; t++) {
      if (t > 15) {
        const x = w[t - 15]!
        const y = w[t - 2]!
        const sum =
          (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))
        w[t] = (w[t - 16]! + sum + w[t - 7]!) | 0
      }
      const t1 = h + mix(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + rounds[t]! + w[t]!
      const t2 = mix(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c))
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
    }
    const added = [a, b, c, d, e, f, g, h]
    state = state.map((word, index) => (word + added[index]!) | 0)
  }
  const bytes = state.flatMap((word) => [24, 16, 8, 0].map((shift) => (word >>> shift) & 255))
  return String.fromCharCode(...bytes)
}

type Octet = [number, number, number, number, number, number, number, number]

/** HMAC with SHA-256 (RFC 2104). */
export function hmacSha256(key: string, message: string): string {
  const block = (key.length > 64 ? sha256(key) : key).padEnd(64, '\0')
  const pad = (by: number): string =>
    block.replace(/[^]/g, (byte) => String.fromCharCode(byte.charCodeAt(0) ^ by))
  return sha256(pad(0x5c) + sha256(pad(0x36) + message))
}
