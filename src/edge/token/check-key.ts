import { ALGORITHMS } from './algorithms.js'
import type { CheckedKey } from './jwk.js'
import { MATERIAL, type Members, type Report } from './key-material.js'

/** Characters of a `kid`. */
export const MAX_KID_LENGTH = 256

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth']
const KINDS: ReadonlySet<unknown> = new Set(['RSA', 'EC', 'oct'])

/** One key as a user gives it, checked; `undefined` when it is at fault or left out, as reported. */
export function checkKey(value: unknown, report: Report): CheckedKey | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return report('invalid_key', '', 'must be a JSON Web Key: an object with kty, alg and kid')
  }
  const members: Members = new Map(Object.entries(value))
  const kty = members.get('kty')
  if (kty === undefined) return report('missing_member', 'kty', 'must be "RSA", "EC" or "oct"')
  if (!KINDS.has(kty)) return report(110101, 'kty', leftOut(kty, [...KINDS]))
  const secret = (kty === 'oct' ? PRIVATE_MEMBERS : [...PRIVATE_MEMBERS, 'k']).find((member) =>
    members.has(member),
  )
  if (secret !== undefined) {
    return report(
      'private_member',
      secret,
      'is private; give the public key only, and replace the pair if this text was shared',
    )
  }
  const alg = members.get('alg') ?? (kty === 'RSA' ? 'RS256' : undefined)
  if (alg === undefined) {
    return report(
      'missing_member',
      'alg',
      `must be ${kty === 'EC' ? 'ES256 or ES384' : 'HS256, HS384 or HS512'}`,
    )
  }
  const row = ALGORITHMS.get(alg as string)
  if (row === undefined) return report(110101, 'alg', leftOut(alg, [...ALGORITHMS.keys()]))
  if (row.kty !== kty) {
    return report(
      'kind_mismatch',
      'alg',
      `${quote(alg)} goes with kty "${row.kty}", not ${quote(kty)}`,
    )
  }
  if ((members.get('use') ?? 'sig') !== 'sig') {
    return report('wrong_use', 'use', 'must be "sig": a key for another use must not verify tokens')
  }
  const operations = members.get('key_ops') ?? ['verify']
  if (!Array.isArray(operations) || !operations.includes('verify')) {
    return report('wrong_use', 'key_ops', 'must be a list with "verify" in it')
  }
  const kid = members.get('kid')
  if (typeof kid !== 'string' || kid === '' || kid.length > MAX_KID_LENGTH) {
    const code = kid === undefined ? 'missing_member' : 'invalid_member'
    return report(
      code,
      'kid',
      `must be text of 1 to ${MAX_KID_LENGTH} characters, as tokens carry it`,
    )
  }
  const material = MATERIAL[row.kty](members, row, report)
  if (material === undefined) return undefined
  if (!members.has('alg')) {
    report(110003, 'alg', `was omitted and defaulted to "RS256" (kid ${quote(kid)})`)
  }
  return { alg, kid, ...material } as CheckedKey
}

function leftOut(value: unknown, known: readonly unknown[]): string {
  return `${quote(value)} is not supported, so the key is left out; known are ${known.join(', ')}`
}

/** A stranger's value, short enough for a message. Never used on key material. */
function quote(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 80)
}
