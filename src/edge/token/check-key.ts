import { ALGORITHMS } from './algorithms.js'
import { MAX_KID_LENGTH, type CheckedKey } from './jwk.js'
import { isObject } from './json-object.js'
import { MATERIAL, type Members, type Report } from './key-material.js'

/** One key as a user gives it, checked; `undefined` when it is at fault or left out, as reported. */
export function checkKey(value: unknown, reportTo: Report): CheckedKey | undefined {
  if (!isObject(value)) {
    return reportTo('invalid_key', '', 'must be an object with kty, alg and kid')
  }
  const members: Members = new Map(Object.entries(value))
  const report: Report = (code, member, text) =>
    code === 'invalid_member' && members.get(member) === undefined
      ? reportTo('missing_member', member, `is missing, ${text}`)
      : reportTo(code, member, text)
  /** Of a name that is not known, or not known here: the former leaves the key out. */
  const foreign = (
    member: string,
    name: unknown,
    known: readonly unknown[],
    code: 'kind_mismatch' | 110101 = 110101,
  ) =>
    report(
      name === undefined ? 'missing_member' : code,
      member,
      // Not what it is: that may be a secret in the wrong member.
      `must be one of ${known.join(', ')} for the key to be used`,
    )

  const kty = members.get('kty')
  const kinds: readonly unknown[] = Object.keys(MATERIAL)
  if (!kinds.includes(kty)) return foreign('kty', kty, kinds)
  const secret = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].find(
    (name) => members.has(name) && (name !== 'k' || kty !== 'oct'),
  )
  if (secret) {
    return report(
      'private_member',
      secret,
      'is private; give the public key only, and replace the pair',
    )
  }
  const given = members.get('alg') ?? undefined
  const alg = given ?? (kty === 'RSA' ? 'RS256' : undefined)
  const row = ALGORITHMS.get(alg as string)
  if (!row || row.kty !== kty) {
    const fitting = [...ALGORITHMS.keys()].filter((name) => ALGORITHMS.get(name)?.kty === kty)
    return foreign('alg', alg, fitting, row && 'kind_mismatch')
  }
  if ((members.get('use') ?? 'sig') !== 'sig') {
    return report('wrong_use', 'use', 'must be "sig"')
  }
  const operations = members.get('key_ops') ?? ['verify']
  if (!Array.isArray(operations) || !operations.includes('verify')) {
    return report('wrong_use', 'key_ops', 'must be a list with "verify"')
  }
  const kid = members.get('kid')
  if (typeof kid !== 'string' || kid === '' || kid.length > MAX_KID_LENGTH) {
    return report('invalid_member', 'kid', `must be text of 1 to ${MAX_KID_LENGTH} characters`)
  }
  const material = MATERIAL[row.kty](members, row, report)
  if (!material) return undefined
  if (given === undefined) {
    report(110003, 'alg', `was omitted and defaulted to "RS256" (kid ${JSON.stringify(kid)})`)
  }
  return { alg, kid, kty, ...material } as CheckedKey
}
