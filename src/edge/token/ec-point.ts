interface Curve {
  readonly p: bigint
  readonly b: bigint
}

/** The short Weierstrass curves of ES256 and ES384 (FIPS 186-5; SEC 2), with `a = -3`. */
const CURVES: ReadonlyMap<string, Curve> = new Map([
  [
    'P-256',
    {
      p: 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
      b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
    },
  ],
  [
    'P-384',
    {
      p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
      b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
    },
  ],
])

/** An unsigned number from its big-endian bytes. */
export function unsigned(bytes: Uint8Array): bigint {
  let hex = '0x0'
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0')
  return BigInt(hex)
}

/** Whether a public point lies on its curve; one that does not can give a key away (RFC 8725 3.4). */
export function isOnCurve(crv: string, x: Uint8Array, y: Uint8Array): boolean {
  const { p, b } = CURVES.get(crv)!
  const [u, v] = [unsigned(x), unsigned(y)]
  return u < p && v < p && (v * v - (u * u * u - 3n * u + b)) % p === 0n
}
