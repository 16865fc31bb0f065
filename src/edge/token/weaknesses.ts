import { decodeBase64Url } from './base64url.js'
import type { KeyMessage } from './check-keys.js'
import { unsigned } from './ec-point.js'
import { isObject } from './json-object.js'
import { hasRocaFingerprint } from './roca.js'

/** What may be said of a key's number or secret, by the member that holds it. */
const WEAKNESSES: readonly {
  readonly kty: string
  readonly member: string
  readonly code: number
  readonly isWeak: (bytes: Uint8Array) => boolean
  readonly text: string
}[] = [
  {
    kty: 'RSA',
    member: 'n',
    code: 110103,
    isWeak: (bytes) => hasRocaFingerprint(unsigned(bytes)),
    text: 'is a ROCA key, whose private key can be computed (CVE-2017-15361); replace the pair',
  },
  {
    kty: 'oct',
    member: 'k',
    code: 110102,
    // A secret of 32 bytes or more drawn at random surely has more.
    isWeak: (bytes) => new Set(bytes).size < 10,
    text: 'has fewer than 10 different bytes; draw a secret at random',
  },
]

/**
 * What an author should know of keys that are good enough to be accepted and yet weak in kind:
 * 110102 a secret of low variety, 110103 a ROCA key. For the time of saving; a gate that only
 * verifies does not ask. Keys that are none are passed over, {@link checkKeys} tells of them.
 */
export function weaknesses(keys: unknown): readonly KeyMessage[] {
  const all: readonly unknown[] = Array.isArray(keys) ? keys : []
  return all.flatMap((key, index) => {
    const members = new Map(Object.entries(isObject(key) ? key : {}))
    return WEAKNESSES.flatMap(({ kty, member, code, isWeak, text }) => {
      const value = members.get(member)
      const bytes = typeof value === 'string' ? decodeBase64Url(value) : undefined
      if (members.get('kty') !== kty || bytes === undefined || !isWeak(bytes)) return []
      const message = `keys[${index}].${member} ${text}`
      return [{ code, pointer: `/keys/${index}/${member}`, message }]
    })
  })
}
