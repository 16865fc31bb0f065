import { checkPrimeSync, createHash, generatePrimeSync, randomBytes } from 'node:crypto'

/** An RSA key of any shape, and its private operation on any block. */
export interface MadeRsa {
  readonly jwk: { readonly kty: 'RSA'; readonly n: string; readonly e: string }
  readonly n: bigint
  /** Bytes of the modulus, and of a signature. */
  readonly size: number
  /** Bits of the modulus. */
  readonly bits: number
  /** `block` to the private exponent. */
  apply(block: Uint8Array): bigint
}

const PRIME_BITS = 512

/**
 * Makes a modulus of exactly so many bits from many small primes: a large one is there in a moment,
 * and whoever verifies cannot tell.
 *
 * @param exponent a prime
 */
export function makeRsa(bits: number, exponent: bigint): MadeRsa {
  const primes: bigint[] = []
  let product = 1n
  while (bits - lengthOf(product) > 2 * PRIME_BITS) {
    const prime = generatePrimeSync(PRIME_BITS, { bigint: true })
    if (!isFit(prime, exponent, primes)) continue
    primes.push(prime)
    product *= prime
  }
  primes.push(lastPrime(product, bits, exponent))
  const n = primes.reduce((all, prime) => all * prime, 1n)
  const size = (bits + 7) >> 3
  /** The Chinese remainder theorem: some hundred times faster than one large power. */
  const parts = primes.map((prime) => ({
    prime,
    secret: inverse(exponent, prime - 1n),
    share: (n / prime) * inverse((n / prime) % prime, prime),
  }))
  return {
    jwk: { kty: 'RSA', n: base64url(n), e: base64url(exponent) },
    n,
    size,
    bits,
    apply: (block) =>
      parts.reduce(
        (sum, { prime, secret, share }) =>
          (sum + power(numberOf(block) % prime, secret, prime) * share) % n,
        0n,
      ),
  }
}

/** EMSA-PKCS1-v1_5 (RFC 8017 9.2), or with another DigestInfo. */
export function pkcs1Block(
  { size }: MadeRsa,
  message: string,
  prefix: string,
  hash: number,
): Buffer {
  const info = Buffer.concat([Buffer.from(prefix, 'hex'), digest(message, hash)])
  const padding = Buffer.alloc(size - info.length - 3, 0xff)
  return Buffer.concat([Buffer.of(0, 1), padding, Buffer.of(0), info])
}

export interface PssShape {
  readonly hash: number
  readonly saltLength: number
  readonly maskHash?: number
  readonly trailer?: number
}

/** EMSA-PSS (RFC 8017 9.1.1), or something like it. */
export function pssBlock(
  { bits }: MadeRsa,
  message: string,
  { hash, saltLength, maskHash = hash, trailer = 0xbc }: PssShape,
): Buffer {
  const length = (bits - 1 + 7) >> 3
  const salt = randomBytes(saltLength)
  const seal = digest(Buffer.concat([Buffer.alloc(8), digest(message, hash), salt]), hash)
  const block = Buffer.alloc(length - seal.length - 1)
  block[block.length - saltLength - 1] = 1
  salt.copy(block, block.length - saltLength)
  const mask = maskOf(seal, block.length, maskHash)
  for (let at = 0; at < block.length; at++) block[at]! ^= mask[at]!
  block[0]! &= 0xff >> (8 * length - (bits - 1))
  return Buffer.concat([block, seal, Buffer.of(trailer)])
}

/** A number in so many bytes, big end first. */
export function bytesOf(value: bigint, size: number): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * size, '0'), 'hex')
}

export function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)
}

/** One that brings the product to the length asked for. */
function lastPrime(product: bigint, bits: number, exponent: bigint): bigint {
  const [low, high] = [(1n << BigInt(bits - 1)) / product + 1n, (1n << BigInt(bits)) / product]
  for (;;) {
    const drawn = low + (numberOf(randomBytes(2 * PRIME_BITS)) % (high - low))
    const prime = drawn | 1n
    if (checkPrimeSync(prime) && isFit(prime, exponent, [])) return prime
  }
}

const isFit = (prime: bigint, exponent: bigint, others: readonly bigint[]): boolean =>
  (prime - 1n) % exponent !== 0n && !others.includes(prime)

function maskOf(seed: Buffer, length: number, hash: number): Buffer {
  const parts: Buffer[] = []
  for (let counter = 0; parts.length * (hash / 8) < length; counter++) {
    parts.push(digest(Buffer.concat([seed, Buffer.of(0, 0, 0, counter)]), hash))
  }
  return Buffer.concat(parts)
}

const digest = (data: string | Buffer, hash: number): Buffer =>
  createHash(`sha${hash}`).update(data).digest()

const lengthOf = (value: bigint): number => value.toString(2).length

const base64url = (value: bigint): string =>
  bytesOf(value, (lengthOf(value) + 7) >> 3).toString('base64url')

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus
    if (bit === '1') result = (result * base) % modulus
  }
  return result
}

/** The inverse of a number modulo one without a common divisor. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value, modulus, 1n, 0n]
  while (b !== 0n) {
    const quotient = a / b
    ;[a, b, x, y] = [b, a - quotient * b, y, x - quotient * y]
  }
  return ((x % modulus) + modulus) % modulus
}
