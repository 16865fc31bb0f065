import type { Algorithm, KeyType } from './algorithms.js'
import { decodeBase64Url, encodeBase64Url } from './base64url.js'
import { isOnCurve, unsigned } from './ec-point.js'
import { isKeyText } from './key-text.js'
import type { KeySetErrorCode } from './key-set-error.js'

/** A JWK's own members, under names that mean nothing to JavaScript. */
export type Members = ReadonlyMap<string, unknown>

/** Notes a finding about a member (`''`: the whole key); a text code is a fault, a number a message. */
export type Report = (code: KeySetErrorCode | number, member: string, text: string) => undefined

/** Checks the members that make up a key of one kind, and gives those. */
export const MATERIAL: Readonly<
  Record<KeyType, (members: Members, row: Algorithm, report: Report) => object | undefined>
> = {
  RSA(members, _row, report) {
    const minBits = 2048
    const maxBits = 8192
    const maxExponentBytes = 4
    const n = number('n', members, report)
    const e = number('e', members, report)
    if (!n || !e) return undefined
    const modulus = unsigned(n)
    const bits = modulus.toString(2).length
    if (bits < minBits || bits > maxBits || isEven(modulus)) {
      return report(
        'weak_key',
        'n',
        `has ${bits} bits, must have ${minBits} to ${maxBits} and be odd`,
      )
    }
    const exponent = unsigned(e)
    if (exponent < 3n || e.length > maxExponentBytes || isEven(exponent)) {
      return report(
        'weak_key',
        'e',
        `must be odd, 3 or more, in at most ${maxExponentBytes} bytes, as "AQAB"`,
      )
    }
    return { e: encodeBase64Url(e), n: encodeBase64Url(n) }
  },

  EC(members, { crv, hash }, report) {
    if ((members.get('crv') ?? crv) !== crv) {
      return report('curve_mismatch', 'crv', `must be "${crv}" for this alg`)
    }
    // Coordinates come in full length (RFC 7518 6.2.1.2), which is the hash's for both curves.
    const x = binary('x', members, report, hash / 8)
    const y = binary('y', members, report, hash / 8)
    if (!x || !y) return undefined
    if (!isOnCurve(crv!, x, y)) {
      return report('invalid_point', 'x', `and y must be a point of ${crv}`)
    }
    return { crv, x: encodeBase64Url(x), y: encodeBase64Url(y) }
  },

  oct(members, { hash }, report) {
    const k = members.get('k')
    if (typeof k === 'string' && isKeyText(decodeBase64Url(k) ?? k)) {
      return report('secret_is_key', 'k', `must not hold another key; ${AT_RANDOM}`)
    }
    const bytes = binary('k', members, report)
    if (!bytes) return undefined
    if (bytes.length < hash / 8) {
      return report(
        'weak_key',
        'k',
        `has ${bytes.length} bytes, must have ${hash / 8} or more (RFC 7518 3.2); ${AT_RANDOM}`,
      )
    }
    return { k }
  },
}

const AT_RANDOM = 'draw a secret at random'

const isEven = (value: bigint): boolean => value % 2n === 0n

/** Without leading zeros, which some exporters write and some runtimes refuse. */
function number(member: string, members: Members, report: Report): Uint8Array | undefined {
  const bytes = binary(member, members, report)
  return bytes?.subarray(bytes.findIndex(Boolean) >>> 0)
}

/** The bytes of a member: of any length, or of one. */
function binary(
  member: string,
  members: Members,
  report: Report,
  length?: number,
): Uint8Array | undefined {
  const text = members.get(member)
  const bytes = typeof text === 'string' ? decodeBase64Url(text) : undefined
  if (bytes && (!length || bytes.length === length)) return bytes
  const size = length ? `${length} bytes in ` : ''
  return report('invalid_member', member, `must be ${size}unpadded base64url`)
}
