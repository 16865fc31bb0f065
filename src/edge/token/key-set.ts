import { ALGORITHMS } from './algorithms.js'
import { decodeBase64Url } from './base64url.js'
import { checkKeys, type KeyMessage } from './check-keys.js'
import type { CryptoBackend, KeyHandle } from './crypto-backend.js'
import type { CheckedKey, OctKey } from './jwk.js'
import { parseObject, type JsonObject } from './json-object.js'
import { decodeUtf8, detach } from './utf8.js'
import { indexOf, type Scope } from './verdict-cache.js'
import { refuse, type KeyName, type Verdict } from './verdict.js'

/** A key in the form of answers (spec 2.3): without `k`. */
export type PublicKey = Exclude<CheckedKey, { kty: 'oct' }> | Omit<CheckedKey, 'k'>

/** A key of the set, ready to verify. */
export interface KeyEntry {
  readonly name: KeyName
  readonly handle: KeyHandle
  /** A signature of this key has as many bytes, and is a smaller number: {@link isBelow}. */
  readonly limit: Uint8Array
  /** What a token is that names it under a signature of another. */
  readonly refusal: Verdict
}

/** Characters of a header segment; a longer one is `too_large`. */
export const MAX_HEADER_LENGTH = 4096

let seeds = 0

/** The keys of one configuration, found by a token's `alg` and `kid` together. */
export interface KeySet {
  /** Identity of this set, for a verdict cache to keep instead of the set and all its keys. */
  readonly scope: Scope
  readonly messages: readonly KeyMessage[]
  /** The keys as an API answers them (spec 2.3): no secret among them. */
  publicKeys(): readonly PublicKey[]
  /** The key that a header segment names, or why there is none. */
  find(header: string): KeyEntry | Verdict
}

/**
 * Checks keys and takes them into a crypto backend. Import once per change of the keys: the set is
 * the scope of cached verdicts, and dropping it drops them.
 *
 * @throws {KeySetError} where {@link checkKeys} does.
 */
export function importKeySet(keys: unknown, crypto: CryptoBackend): KeySet {
  // Header segments remembered; an issuer has a handful.
  const most = 64
  // 2^32 divided by the golden ratio: its multiples lie far apart.
  const goldenRatio = 0x9e3779b1
  const { keys: checked, messages } = checkKeys(keys)
  const publicKeys = checked.map(publicForm)
  const entries = checked.map((key): KeyEntry => {
    const name = Object.freeze({ alg: key.alg, kid: key.kid })
    const refusal = Object.freeze(refuse('bad_signature', name))
    return { name, handle: crypto.importKey(key), limit: limitOf(key), refusal }
  })
  const scope = { seed: Math.imul(++seeds, goldenRatio) }
  /**
   * What headers named, or why nothing. Strangers may fill it and so make it start over, which the
   * next real header sets right for what reading it costs.
   */
  let headers = new Map<string, KeyEntry | Verdict>()
  /** Of them a number each, which costs less than the hash of a text. */
  let marks = new Set<number>()
  /** The one that was kept last: most tokens have it. */
  let recent: string | undefined
  let named: KeyEntry | Verdict
  /** Of the one that was read last. */
  let last: number | undefined
  /** Most headers end alike. */
  const markOf = (segment: string) =>
    indexOf(segment, scope) ^ indexOf(segment, scope, segment.length >> 1)
  const read = (segment: string): KeyEntry | Verdict => {
    if (segment.length > MAX_HEADER_LENGTH) return refuse('too_large')
    const mark = markOf(segment)
    const known = marks.has(mark) && headers.get(segment)
    if (known) return known
    const found = choose(entries, crypto.skimHeader?.(segment) ?? parseSegment(segment))
    // Of what names no key, only what comes twice in turn is kept: junk leaves nothing behind.
    if (mark === last || !('status' in found)) {
      if (headers.size >= most) {
        // Not cleared: V8 chains the tables of one map, and the old ones would hold the new.
        headers = new Map()
        marks = new Set()
      }
      named = Object.freeze(found)
      recent = detach(segment)
      headers.set(recent, named)
      // Of what was kept: texts that no bytes can say differ from it, and would all be one.
      marks.add(markOf(recent))
    }
    last = mark
    return found
  }
  return {
    scope,
    messages,
    publicKeys: () => publicKeys,
    find: (header) => (header === recent ? named : read(header)),
  }
}

function parseSegment(segment: string): JsonObject | undefined {
  const bytes = decodeBase64Url(segment)
  return parseObject(bytes && decodeUtf8(bytes))
}

function choose(entries: readonly KeyEntry[], header: JsonObject | undefined): KeyEntry | Verdict {
  if (header === undefined) return refuse('malformed')
  const { alg, kid, crit } = header
  // No extension is understood, so whatever `crit` says cannot be met (RFC 7515 4.1.11).
  if (crit !== undefined) return refuse('critical_header')
  if (!ALGORITHMS.has(alg as string)) return refuse('alg_not_allowed')
  let found = refuse('unknown_key')
  for (const entry of entries) {
    if (entry.name.kid !== kid) continue
    if (entry.name.alg === alg) return entry
    found = refuse('alg_not_allowed')
  }
  return found
}

/**
 * RSA verifies numbers below the modulus only (RFC 8017 8.1.2, 8.2.2). Not every runtime sees to
 * that for RSASSA-PSS, and a token would have two spellings. Other signatures have no such limit.
 */
function limitOf(key: CheckedKey): Uint8Array {
  if (key.kty === 'RSA') return decodeBase64Url(key.n)!
  return new Uint8Array(ALGORITHMS.get(key.alg)!.hash / (key.kty === 'EC' ? 4 : 8)).fill(255)
}

/** Whether one number is less than another of as many bytes. The first byte mostly tells. */
export function isBelow(number: Uint8Array, limit: Uint8Array): boolean {
  let at = 0
  while (at < limit.length && number[at] === limit[at]) at++
  return number.length === limit.length && number[at]! < limit[at]!
}

function publicForm(key: CheckedKey): PublicKey {
  const { k: _secret, ...rest } = key as OctKey
  return Object.freeze(rest)
}
