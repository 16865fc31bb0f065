import { decodeBase64Url } from './base64url.js'

/** The curves of ES256 and ES384, `y^2 = x^3 - 3x + b` modulo `p` (FIPS 186-5; SEC 2); `b` as a JWK writes numbers. */
const CURVES: Readonly<Record<'P-256' | 'P-384', { readonly p: bigint; readonly b: string }>> = {
  'P-256': {
    p: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    b: 'WsY12Ko6k-ez671VdpiGvGUdBrDMU7D2O848PifSYEs',
  },
  'P-384': {
    p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    b: 'szEvp-I-5-SYjgVr4_gtGRgdnG7-gUESAxQIj1ATh1rGVjmNii7RnSqFyO3T7Crv',
  },
}

/** An unsigned number from its big-endian bytes. */
export function unsigned(bytes: Uint8Array): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n)
}

/** Whether a public point lies on its curve; one that does not can give a key away (RFC 8725 3.4). */
export function isOnCurve(crv: keyof typeof CURVES, x: Uint8Array, y: Uint8Array): boolean {
  const { p, b } = CURVES[crv]
  const u = unsigned(x)
  const v = unsigned(y)
  return u < p && v < p && (v * v - (u * u * u - 3n * u + unsigned(decodeBase64Url(b)!))) % p === 0n
}
