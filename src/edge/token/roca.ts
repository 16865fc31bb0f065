/** Primes modulo which the powers of 65537 are few: the moduli that tell a ROCA key from another. */
const PRIMES = [11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157]

/**
 * Whether an RSA modulus carries the fingerprint of CVE-2017-15361, whose private key can be
 * computed from the public one: modulo every small prime it is a power of 65537.
 * A sound modulus does so by chance once in about a hundred million.
 */
export function hasRocaFingerprint(modulus: bigint): boolean {
  return PRIMES.every((prime) => {
    const residue = Number(modulus % BigInt(prime))
    let power = 1
    do {
      if (power === residue) return true
      power = (power * 65537) % prime
    } while (power !== 1)
    return false
  })
}
