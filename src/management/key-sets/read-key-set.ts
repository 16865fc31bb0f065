import {
  checkKeys,
  KeySetError,
  MAX_KEYS,
  MAX_KID_LENGTH,
  weaknesses,
  type CheckedKey,
  type EcKey,
  type RsaKey,
} from '../../edge/token/index.js'
import { KeySetFault } from './key-set-fault.js'

/** A key that anybody may know. */
export type RemoteKey = RsaKey | EcKey

/** Something to tell of a key in the set: why it is left out, or what is odd though it is used. */
export interface Finding {
  readonly used: boolean
  readonly pointer: string
  readonly kid: string | null
  readonly message: string
}

/** What a key set document has for us. */
export interface ReadKeySet {
  /** At least one, at most as many as a configuration may have. */
  readonly keys: readonly RemoteKey[]
  readonly findings: readonly Finding[]
}

/** Keys looked at: checking one takes a while, and no issuer has so many. */
const MAX_LOOKED_AT = 100

/** RFC 7518 binds these curves to one algorithm each. */
const ALG_OF_CURVE: ReadonlyMap<unknown, string> = new Map([
  ['P-256', 'ES256'],
  ['P-384', 'ES384'],
])

/**
 * Reads a JWK Set (RFC 7517, 5) that an issuer publishes. A key that cannot be used is left out and
 * told of: what else is in the set is not the reader's choice.
 *
 * @throws {KeySetFault} for what is no set, and for a set without a single key to use
 */
export function readKeySet(body: Uint8Array): ReadKeySet {
  const given = keysIn(body)
  const keys: RemoteKey[] = []
  const findings: Finding[] = []
  for (const [index, value] of given.slice(0, MAX_LOOKED_AT).entries()) {
    const read = readKey(value, index)
    findings.push(...read.findings)
    const { key } = read
    if (key === undefined) continue
    const left = whyLeftOut(key, keys)
    if (left === undefined) keys.push(key)
    else findings.push(finding(false, `/keys/${index}`, key.kid, left))
  }
  const more = given.length - MAX_LOOKED_AT
  if (more > 0) findings.push(finding(false, '/keys', null, `and ${more} more keys, not looked at`))
  if (keys.length > 0) return { keys, findings }
  const why = findings.length === 0 ? 'it is empty' : findings[0]!.message
  throw new KeySetFault('no_usable_keys', `the set has no key to verify with: ${why}`)
}

function keysIn(body: Uint8Array): readonly unknown[] {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    const { keys } = JSON.parse(text) as { readonly keys?: unknown }
    if (Array.isArray(keys)) return keys
  } catch {
    // The message of a parser would repeat the text.
  }
  throw new KeySetFault('not_a_key_set', 'the answer is no JSON object with a list of keys')
}

function readKey(
  value: unknown,
  index: number,
): { readonly key?: RemoteKey; readonly findings: readonly Finding[] } {
  const pointer = `/keys/${index}`
  const members: Record<string, unknown> = isObject(value) ? value : {}
  const { kty, alg, crv, kid } = members
  const told = (used: boolean, at: string, text: string) =>
    finding(used, pointer + at, kid, text.replace('keys[0]', `keys[${index}]`))
  if (kty === 'oct')
    return { findings: [told(false, '/kty', 'a secret that is published is none: never used')] }
  const derived = kty === 'EC' && alg === undefined ? ALG_OF_CURVE.get(crv) : undefined
  const whole = isObject(value) && derived !== undefined ? { ...value, alg: derived } : value
  try {
    const { keys, messages } = checkKeys([whole])
    return {
      key: keys[0] as RemoteKey,
      findings: [...messages, ...weaknesses([whole])].map(({ pointer: at, message }) =>
        told(true, at.replace('/keys/0', ''), message),
      ),
    }
  } catch (cause) {
    if (!(cause instanceof KeySetError)) throw cause
    const { pointer: at, message } = cause
    return { findings: [told(false, at.replace(/^\/keys(\/0)?/, ''), message)] }
  }
}

function whyLeftOut({ alg, kid }: CheckedKey, keys: readonly RemoteKey[]): string | undefined {
  if (keys.some((other) => other.alg === alg && other.kid === kid))
    return `there is another key with this kid for ${alg}`
  return keys.length < MAX_KEYS ? undefined : `a configuration has at most ${MAX_KEYS} keys`
}

const finding = (used: boolean, pointer: string, kid: unknown, message: string): Finding => ({
  used,
  pointer,
  kid: typeof kid === 'string' ? kid.slice(0, MAX_KID_LENGTH) : null,
  message,
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
