import { ALGORITHMS, type Algorithm } from './algorithms.js'
import { decodeBase64Url, encodeBase64Url } from './base64url.js'
import { coordinateBytes, isOnCurve, unsigned } from './ec-point.js'
import { KeySetError, type KeyIssue, type KeySetErrorCode } from './key-set-error.js'
import { hasRocaFingerprint } from './roca.js'
import { isKeyText } from './secret.js'

/** A key that passed every check, in the form of spec 2.3: unknown members are gone. */
export type CheckedKey = RsaKey | EcKey | OctKey

export interface RsaKey {
  readonly alg: string
  readonly e: string
  readonly kid: string
  readonly kty: 'RSA'
  readonly n: string
}

export interface EcKey {
  readonly alg: string
  readonly crv: string
  readonly kid: string
  readonly kty: 'EC'
  readonly x: string
  readonly y: string
}

export interface OctKey {
  readonly alg: string
  /** The secret. It must not leave: answers show `KeySet.publicKeys()`. */
  readonly k: string
  readonly kid: string
  readonly kty: 'oct'
}

/** Something worth telling about keys that were accepted all the same. */
export interface KeyMessage {
  /** 110003 alg defaulted, 110101 key left out, 110102 secret of low variety, 110103 ROCA key. */
  readonly code: number
  readonly pointer: string
  readonly message: string
}

export interface CheckedKeys {
  readonly keys: readonly CheckedKey[]
  readonly messages: readonly KeyMessage[]
}

/** Keys in one configuration. */
export const MAX_KEYS = 16
/** Characters of a `kid`. */
export const MAX_KID_LENGTH = 256

const RSA_BITS = { min: 2048, max: 8192 }
const MAX_EXPONENT_BYTES = 4
/** Distinct byte values below which a secret of 32 bytes or more was surely not drawn at random. */
const LOW_VARIETY = 10
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth']
const KINDS: ReadonlySet<unknown> = new Set(['RSA', 'EC', 'oct'])

type Members = ReadonlyMap<string, unknown>

/** Where one key's findings go. */
interface Report {
  fail(code: KeySetErrorCode, member: string, message: string): undefined
  tell(code: number, member: string, message: string): void
}

/**
 * Checks JSON Web Keys as they come from a user: kinds, sizes, curves, secrets, and the pair
 * `{alg, kid}` unique (spec 2.3; RFC 7517, 7518, 8725). A key of a kind or algorithm outside of the
 * spec is left out with a message, so that a provider's whole set can be pasted.
 *
 * @throws {KeySetError} naming every fault, none of them with secret material in its text.
 */
export function checkKeys(keys: unknown): CheckedKeys {
  if (!Array.isArray(keys)) {
    throw new KeySetError([
      issue('invalid_keys', '/keys', 'keys must be an array of JSON Web Keys'),
    ])
  }
  if (keys.length > MAX_KEYS) {
    const text = `${keys.length} keys given; a configuration holds at most ${MAX_KEYS}, remove the retired ones`
    throw new KeySetError([issue('too_many_keys', '/keys', text)])
  }
  const issues: KeyIssue[] = []
  const messages: KeyMessage[] = []
  const checked = new Map<string, CheckedKey>()
  for (const [index, value] of keys.entries()) {
    const pointer = `/keys/${index}`
    const at = (member: string) => (member === '' ? pointer : `${pointer}/${member}`)
    const name = `keys[${index}]`
    const report: Report = {
      fail: (code, member, text) =>
        void issues.push(
          issue(code, at(member), `${member === '' ? name : `${name}.${member}`} ${text}`),
        ),
      tell: (code, member, text) =>
        void messages.push({
          code,
          pointer: at(member),
          message: `${member === '' ? name : `${name}.${member}`} ${text}`,
        }),
    }
    const key = checkKey(value, report)
    if (key === undefined) continue
    const identity = `${key.alg} ${key.kid}`
    if (checked.has(identity)) {
      report.fail(
        'duplicate_key',
        'kid',
        `${quote(key.kid)} is used twice with alg ${quote(key.alg)}; give each key of one alg its own kid`,
      )
    } else checked.set(identity, key)
  }
  if (issues.length > 0) throw new KeySetError(issues)
  if (checked.size === 0) {
    const why = messages.map(({ message }) => `: ${message}`).join('')
    throw new KeySetError([
      issue('no_keys', '/keys', `keys holds no key that can verify a token${why}`),
    ])
  }
  return { keys: [...checked.values()], messages }
}

function checkKey(value: unknown, report: Report): CheckedKey | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return report.fail('invalid_key', '', 'must be a JSON Web Key, an object with kty, alg and kid')
  }
  // Own members only, under names that mean nothing to JavaScript.
  const members: Members = new Map(Object.entries(value))
  const kty = members.get('kty')
  if (kty === undefined) {
    return report.fail('missing_member', 'kty', 'is missing; give "RSA", "EC" or "oct"')
  }
  if (!KINDS.has(kty)) {
    report.tell(
      110101,
      'kty',
      `${quote(kty)} is not supported, so the key was left out; RSA, EC and oct are`,
    )
    return undefined
  }
  const secret = PRIVATE_MEMBERS.find((member) => members.has(member))
  if (secret !== undefined) {
    return report.fail(
      'private_member',
      secret,
      'is part of a private key; give the public key only, and replace this key pair if the text has been shared',
    )
  }
  if (kty !== 'oct' && members.has('k')) {
    return report.fail(
      'private_member',
      'k',
      `is a secret and has no place in a key of kty ${quote(kty)}`,
    )
  }
  const alg = members.get('alg') ?? (kty === 'RSA' ? 'RS256' : undefined)
  if (alg === undefined) {
    const choice = kty === 'oct' ? '"HS256", "HS384" or "HS512"' : '"ES256" or "ES384"'
    return report.fail('missing_member', 'alg', `is missing; give ${choice}`)
  }
  const row = typeof alg === 'string' ? ALGORITHMS.get(alg) : undefined
  if (typeof alg !== 'string' || row === undefined) {
    report.tell(
      110101,
      'alg',
      `${quote(alg)} is not supported, so the key was left out; ${[...ALGORITHMS.keys()].join(', ')} are`,
    )
    return undefined
  }
  if (row.kty !== kty) {
    return report.fail(
      'kind_mismatch',
      'alg',
      `${quote(alg)} needs a key of kty ${quote(row.kty)}, but kty is ${quote(kty)}`,
    )
  }
  if (!isForVerifying(members, report)) return undefined
  const kid = members.get('kid')
  if (typeof kid !== 'string' || kid === '' || kid.length > MAX_KID_LENGTH) {
    return report.fail(
      kid === undefined ? 'missing_member' : 'invalid_member',
      'kid',
      `must be text of 1 to ${MAX_KID_LENGTH} characters; tokens name their key by it`,
    )
  }
  const key = CHECKS[row.kty](members, row, report)
  if (key === undefined) return undefined
  if (!members.has('alg')) {
    report.tell(110003, 'alg', `was omitted and defaulted to "RS256" (kid ${quote(kid)})`)
  }
  return { ...key, alg, kid } as CheckedKey
}

function isForVerifying(members: Members, report: Report): boolean {
  const use = members.get('use')
  if (use !== undefined && use !== 'sig') {
    report.fail(
      'wrong_use',
      'use',
      'must be "sig": a key meant for something else must not verify tokens',
    )
    return false
  }
  const operations = members.get('key_ops')
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) {
    report.fail('wrong_use', 'key_ops', 'must be a list with "verify" in it')
    return false
  }
  return true
}

/** The members that differ from kind to kind. */
const CHECKS: Record<
  Algorithm['kty'],
  (members: Members, row: Algorithm, report: Report) => object | undefined
> = {
  RSA(members, _row, report) {
    const modulus = number('n', members, report)
    const exponent = number('e', members, report)
    if (modulus === undefined || exponent === undefined) return undefined
    const bits = modulus.length * 8 - Math.clz32(modulus[0] ?? 0) + 24
    if (bits < RSA_BITS.min || bits > RSA_BITS.max) {
      return report.fail(
        'weak_key',
        'n',
        `has ${Math.max(bits, 0)} bits; RSA keys need ${RSA_BITS.min} to ${RSA_BITS.max}`,
      )
    }
    const isOdd = ((exponent.at(-1) ?? 0) & 1) === 1
    if (
      !isOdd ||
      (exponent.length === 1 && exponent[0]! < 3) ||
      exponent.length > MAX_EXPONENT_BYTES
    ) {
      return report.fail(
        'weak_key',
        'e',
        `must be odd, at least 3 and at most ${MAX_EXPONENT_BYTES} bytes long; "AQAB" (65537) is usual`,
      )
    }
    const value = unsigned(modulus)
    if (value % 2n === 0n) return report.fail('weak_key', 'n', 'is even, so it is no RSA modulus')
    if (hasRocaFingerprint(value)) {
      report.tell(
        110103,
        'n',
        'has the fingerprint of CVE-2017-15361 (ROCA): its private key can probably be computed, replace it',
      )
    }
    return { kty: 'RSA', n: encodeBase64Url(modulus), e: encodeBase64Url(exponent) }
  },

  EC(members, row, report) {
    const crv = row.crv!
    const given = members.get('crv') ?? crv
    if (given !== crv) {
      return report.fail(
        'curve_mismatch',
        'crv',
        `must be ${quote(crv)} for this alg, not ${quote(given)}`,
      )
    }
    const x = coordinate('x', crv, members, report)
    const y = coordinate('y', crv, members, report)
    if (x === undefined || y === undefined) return undefined
    if (!isOnCurve(crv, x, y)) {
      return report.fail('invalid_point', 'x', `and y are no point of ${crv}; copy both again`)
    }
    return { kty: 'EC', crv, x: members.get('x'), y: members.get('y') }
  },

  oct(members, row, report) {
    const k = members.get('k')
    const min = row.hash / 8
    const want = `must be at least ${min} random bytes in unpadded base64url`
    if (k === undefined) return report.fail('missing_member', 'k', `is missing; it ${want}`)
    if (typeof k !== 'string') return report.fail('invalid_member', 'k', want)
    const bytes = decodeBase64Url(k)
    if (isKeyText(bytes ?? k)) {
      return report.fail(
        'secret_is_key',
        'k',
        'is the text of another key, which others may know; it ' + want,
      )
    }
    if (bytes === undefined)
      return report.fail('invalid_member', 'k', `${want}; this is another encoding`)
    if (bytes.length < min) {
      return report.fail('weak_key', 'k', `has ${bytes.length} bytes; it ${want} (RFC 7518 3.2)`)
    }
    if (new Set(bytes).size < LOW_VARIETY) {
      report.tell(
        110102,
        'k',
        `has fewer than ${LOW_VARIETY} different bytes: it looks made up, draw one at random`,
      )
    }
    return { kty: 'oct', k }
  },
}

/** Bytes of a number member without leading zeros, which some exporters write and some runtimes refuse. */
function number(member: string, members: Members, report: Report): Uint8Array | undefined {
  const bytes = binary(member, members, report)
  if (bytes === undefined) return undefined
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? bytes.subarray(bytes.length) : bytes.subarray(first)
}

function coordinate(
  member: string,
  crv: string,
  members: Members,
  report: Report,
): Uint8Array | undefined {
  const bytes = binary(member, members, report)
  const length = coordinateBytes(crv)
  if (bytes === undefined || bytes.length === length) return bytes
  return report.fail(
    'invalid_member',
    member,
    `has ${bytes.length} bytes; a coordinate of ${crv} has ${length}`,
  )
}

function binary(member: string, members: Members, report: Report): Uint8Array | undefined {
  const text = members.get(member)
  if (text === undefined) return report.fail('missing_member', member, 'is missing')
  const bytes = typeof text === 'string' ? decodeBase64Url(text) : undefined
  return bytes ?? report.fail('invalid_member', member, 'must be text in unpadded base64url')
}

/** A stranger's value, short enough for a message. Never used on key material. */
function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

function issue(code: KeySetErrorCode, pointer: string, message: string): KeyIssue {
  return { code, pointer, message }
}
