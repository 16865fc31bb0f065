const SEQUENCE = 0x30
const INTEGER = 0x02

/**
 * An ECDSA signature as DER (RFC 3279 2.2.3) from the two halves that a JWS carries (RFC 7518 3.4).
 * Any `r` and `s` are written, zero and too large ones too: the verification refuses those.
 */
export function derSignature(signature: Uint8Array): Uint8Array {
  const half = signature.length >> 1
  // At most 104 bytes follow the tag for P-384, so every length is one byte.
  const der = Buffer.allocUnsafe(signature.length + 8)
  let end = writeInteger(der, 2, signature, 0, half)
  end = writeInteger(der, end, signature, half, signature.length)
  der[0] = SEQUENCE
  der[1] = end - 2
  return der.subarray(0, end)
}

function writeInteger(
  der: Uint8Array,
  at: number,
  bytes: Uint8Array,
  from: number,
  to: number,
): number {
  let first = from
  while (first < to - 1 && bytes[first] === 0) first++
  // A leading one bit would make it negative.
  const sign = bytes[first]! >> 7
  der[at] = INTEGER
  der[at + 1] = to - first + sign
  let end = at + 2
  if (sign === 1) der[end++] = 0
  while (first < to) der[end++] = bytes[first++]!
  return end
}
