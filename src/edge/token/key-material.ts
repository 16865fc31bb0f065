import type { Algorithm, KeyType } from './algorithms.js'
import { decodeBase64Url, encodeBase64Url } from './base64url.js'
import { isOnCurve, unsigned } from './ec-point.js'
import { isKeyText } from './key-text.js'
import type { KeySetErrorCode } from './key-set-error.js'
import { hasRocaFingerprint } from './roca.js'

/** A JWK's own members, under names that mean nothing to JavaScript. */
export type Members = ReadonlyMap<string, unknown>

/** Notes a finding about a member (`''`: the whole key); a text code is a fault, a number a message. */
export type Report = (code: KeySetErrorCode | number, member: string, text: string) => undefined

const RSA_BITS = { min: 2048, max: 8192 }
const MAX_EXPONENT_BYTES = 4
/** Distinct byte values that a secret of 32 bytes or more drawn at random surely exceeds. */
const LOW_VARIETY = 10

/** Checks the members that make up a key of one kind, and gives those. */
export const MATERIAL: Readonly<
  Record<KeyType, (members: Members, row: Algorithm, report: Report) => object | undefined>
> = {
  RSA(members, _row, report) {
    const modulus = number('n', members, report)
    const exponent = number('e', members, report)
    if (modulus === undefined || exponent === undefined) return undefined
    const bits = Math.max(0, modulus.length * 8 + 24 - Math.clz32(modulus[0] ?? 0))
    if (bits < RSA_BITS.min || bits > RSA_BITS.max) {
      return report(
        'weak_key',
        'n',
        `has ${bits} bits, must have ${RSA_BITS.min} to ${RSA_BITS.max}`,
      )
    }
    const value = unsigned(modulus)
    if (value % 2n === 0n) return report('weak_key', 'n', 'is even, so it is no RSA modulus')
    const e = unsigned(exponent.subarray(0, MAX_EXPONENT_BYTES))
    if (e < 3n || e % 2n === 0n || exponent.length > MAX_EXPONENT_BYTES) {
      return report(
        'weak_key',
        'e',
        `must be odd, at least 3 and at most ${MAX_EXPONENT_BYTES} bytes; "AQAB" is usual`,
      )
    }
    if (hasRocaFingerprint(value)) {
      report(
        110103,
        'n',
        'is a ROCA key (CVE-2017-15361): its private key can be computed, replace it',
      )
    }
    return { e: encodeBase64Url(exponent), kty: 'RSA', n: encodeBase64Url(modulus) }
  },

  EC(members, { crv, hash }, report) {
    if ((members.get('crv') ?? crv) !== crv) {
      return report('curve_mismatch', 'crv', `must be "${crv}" for this alg`)
    }
    const x = coordinate('x', hash / 8, members, report)
    const y = coordinate('y', hash / 8, members, report)
    if (x === undefined || y === undefined) return undefined
    if (!isOnCurve(crv!, x, y)) {
      return report('invalid_point', 'x', `and y are no point of ${crv}; copy both again`)
    }
    return { crv, kty: 'EC', x: members.get('x'), y: members.get('y') }
  },

  oct(members, { hash }, report) {
    const k = members.get('k')
    const rule = `must be ${hash / 8} or more random bytes in unpadded base64url`
    if (typeof k !== 'string') {
      return report(k === undefined ? 'missing_member' : 'invalid_member', 'k', rule)
    }
    const bytes = decodeBase64Url(k)
    if (isKeyText(bytes ?? k)) {
      return report('secret_is_key', 'k', `holds another key, which others may know; it ${rule}`)
    }
    if (bytes === undefined) return report('invalid_member', 'k', rule)
    if (bytes.length < hash / 8) {
      return report('weak_key', 'k', `has ${bytes.length} bytes; it ${rule} (RFC 7518 3.2)`)
    }
    if (new Set(bytes).size < LOW_VARIETY) {
      report(110102, 'k', `has fewer than ${LOW_VARIETY} different bytes; draw a secret at random`)
    }
    return { k, kty: 'oct' }
  },
}

/** Without leading zeros, which some exporters write and some runtimes refuse. */
function number(member: string, members: Members, report: Report): Uint8Array | undefined {
  const bytes = binary(member, members, report)
  const first = bytes?.findIndex((byte) => byte !== 0) ?? 0
  return bytes?.subarray(first < 0 ? bytes.length : first)
}

/** In full length (RFC 7518 6.2.1.2), which is the hash's for both curves. */
function coordinate(
  member: string,
  length: number,
  members: Members,
  report: Report,
): Uint8Array | undefined {
  const bytes = binary(member, members, report)
  if (bytes === undefined || bytes.length === length) return bytes
  return report('invalid_member', member, `has ${bytes.length} bytes, must have ${length}`)
}

function binary(member: string, members: Members, report: Report): Uint8Array | undefined {
  const text = members.get(member)
  if (text === undefined) return report('missing_member', member, 'is missing')
  const bytes = typeof text === 'string' ? decodeBase64Url(text) : undefined
  return bytes ?? report('invalid_member', member, 'must be unpadded base64url')
}
