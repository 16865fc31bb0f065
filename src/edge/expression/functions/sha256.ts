/** SHA-256 (FIPS 180-4) over texts of bytes, synchronous everywhere, with nothing of the platform. */

const MASK = 0xffffffffn

/** The roots of the first primes; only their first 32 bits behind the point are used. */
function fractions(count: number, power: bigint): Int32Array {
  const found: number[] = []
  for (let prime = 2n; found.length < count; prime++) {
    if (!isPrime(prime)) continue
    const target = prime << (32n * power)
    let low = 0n
    for (let bit = 1n << 40n; bit > 0n; bit >>= 1n) if ((low + bit) ** power <= target) low += bit
    found.push(Number(low & MASK) | 0)
  }
  return Int32Array.from(found)
}

function isPrime(candidate: bigint): boolean {
  for (let divisor = 2n; divisor * divisor <= candidate; divisor++) {
    if (candidate % divisor === 0n) return false
  }
  return true
}

let tables: { readonly initial: Int32Array; readonly rounds: Int32Array } | undefined

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** The digest of a text of bytes, 32 bytes. */
export function sha256(message: string): string {
  tables ??= { initial: fractions(8, 2n), rounds: fractions(64, 3n) }
  const state = tables.initial.slice()
  const blocks = (message.length + 72) >> 6
  const bytes = new Uint8Array(blocks * 64)
  for (let index = 0; index < message.length; index++) bytes[index] = message.charCodeAt(index)
  bytes[message.length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setBigUint64(bytes.length - 8, BigInt(message.length) * 8n)
  const schedule = new Int32Array(64)
  for (let block = 0; block < blocks; block++) {
    for (let index = 0; index < 16; index++) schedule[index] = view.getInt32(block * 64 + index * 4)
    compress(state, schedule, tables.rounds)
  }
  let digest = ''
  for (const word of state) {
    digest += String.fromCharCode(word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255)
  }
  return digest
}

function compress(state: Int32Array, w: Int32Array, rounds: Int32Array): void {
  for (let t = 16; t < 64; t++) {
    const [x, y] = [w[t - 15] as number, w[t - 2] as number]
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10)
    w[t] = (w[t - 16] as number) + s0 + (w[t - 7] as number) + s1
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let t = 0; t < 64; t++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (rounds[t] as number) + (w[t] as number)) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = (state[index] as number) + word
  }
}

/** HMAC with SHA-256 (RFC 2104). */
export function hmacSha256(key: string, message: string): string {
  const block = (key.length > 64 ? sha256(key) : key).padEnd(64, '\0')
  return sha256(pad(block, 0x5c) + sha256(pad(block, 0x36) + message))
}

function pad(block: string, by: number): string {
  return Array.from(block, (byte) => String.fromCharCode(byte.charCodeAt(0) ^ by)).join('')
}
