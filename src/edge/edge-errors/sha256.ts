/** The first `count` primes. */
function primes(count: number): readonly number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((p) => n % p !== 0)) found.push(n)
  return found
}

/** The first 32 bits of the fractional part. */
const fraction = (x: number): number => ((x - Math.floor(x)) * 0x1_0000_0000) | 0

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/**
 * SHA-256 (FIPS 180-4) of a text's UTF-8, in base64. The Web platform's own is asynchronous, and an
 * answer cannot wait; this one runs once for each style sheet.
 */
export function sha256(text: string): string {
  const roots = primes(64)
  const constants = roots.map((p) => fraction(Math.cbrt(p)))
  const hash = roots.slice(0, 8).map((p) => fraction(Math.sqrt(p)))
  const bytes = new TextEncoder().encode(text)
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64))
  new Uint8Array(padded.buffer).set(bytes)
  padded.setUint8(bytes.length, 0x80)
  padded.setUint32(padded.byteLength - 4, bytes.length * 8)
  const words = new Int32Array(64)
  for (let block = 0; block < padded.byteLength; block += 64) {
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
    for (let at = 0; at < 64; at++) {
      words[at] = at < 16 ? padded.getInt32(block + at * 4) : scheduled(words, at)
      const choice = (e & f) ^ (~e & g)
      const majority = (a & b) ^ (a & c) ^ (b & c)
      const sum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      const one = (h + sum + choice + (constants[at] ?? 0) + (words[at] ?? 0)) | 0
      const two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
    }
    for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) hash[at] = (hash[at] ?? 0) + word
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (const [at, word] of hash.entries()) digest.setInt32(at * 4, word)
  return btoa(String.fromCharCode(...new Uint8Array(digest.buffer)))
}

function scheduled(words: Int32Array, at: number): number {
  const early = words[at - 15] ?? 0
  const late = words[at - 2] ?? 0
  const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)
  const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10)
  return (words[at - 16] ?? 0) + first + (words[at - 7] ?? 0) + second
}
