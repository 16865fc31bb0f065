import { isAscii, isUtf8 } from 'node:buffer'
import {
  constants,
  createPublicKey,
  verify,
  type KeyObject,
  type VerifyKeyObjectInput,
} from 'node:crypto'
import { skimTimes } from '../edge/skim/index.js'
import { ALGORITHMS, type CheckedKey, type CryptoBackend } from '../edge/token/index.js'
import { latin1Text } from './bytes/index.js'
import { derSignature } from './der-signature.js'
import { hmacCheck } from './hmac/index.js'
import { openToken } from './open-token.js'
import { pssKey } from './pss-key.js'
import { Room } from './room.js'
import { rsaCheck } from './rsa-check.js'
import { skimHeader } from './skim-header.js'

type Check = (signingInput: string, signature: Uint8Array) => boolean

const inputs = new Room()

/** A key bound to the one way it may be used. */
class NodeKey {
  readonly check: Check

  constructor(check: Check) {
    this.check = check
  }
}

export interface NodeCryptoOptions {
  /**
   * Rewrite RSASSA-PSS keys so that they need no options object per call. Default: on Node 24 only,
   * where such an object costs 10 µs; elsewhere it is 1 µs quicker, and Bun cannot read such keys.
   */
  readonly pssKeys?: boolean
}

const { node, bun, deno } = process.versions
const OBJECTS_ARE_SLOW = bun === undefined && node.startsWith('24.')
/** Deno has no RSA without padding, and Bun is no quicker with it. */
const HAS_BARE_RSA = !OBJECTS_ARE_SLOW && bun === undefined && deno === undefined
/** On Deno the portable ones take less. */
const QUICK_READERS = deno === undefined ? { open: openToken, utf8 } : {}

/**
 * Cryptography of Node and Bun, synchronous: no promise, no thread, no copy of a key per call.
 * Keys go in as bare KeyObjects wherever possible, which every version takes quickly.
 */
export function nodeCrypto({
  pssKeys = OBJECTS_ARE_SLOW,
}: NodeCryptoOptions = {}): CryptoBackend<boolean> {
  return {
    name: 'node:crypto',
    importKey: (key) => new NodeKey(checkOf(key, pssKeys)),
    verify: (handle, signed, signature) => (handle as NodeKey).check(signed, signature),
    ...QUICK_READERS,
    skimHeader,
    skimTimes: (payload) => skimTimes(payload, isUtf8),
  }
}

function checkOf(key: CheckedKey, pssKeys: boolean): Check {
  const { hash, pss } = ALGORITHMS.get(key.alg)!
  if (key.kty === 'oct') return hmacCheck(hash, Buffer.from(key.k, 'base64url'))
  const digest = `sha${hash}`
  const jwk = createPublicKey({ key: { ...key }, format: 'jwk' })
  if (key.kty === 'EC') {
    return (signed, signature) => verify(digest, inputs.write(signed), jwk, derSignature(signature))
  }
  if (pss !== true && HAS_BARE_RSA) {
    const check = rsaCheck(jwk, hash, Buffer.byteLength(key.n, 'base64url'))
    return (signed, signature) => check(inputs.write(signed), signature)
  }
  const rsa = pss !== true ? jwk : pssKeys ? pssKey(jwk, hash) : pssOptions(jwk, hash)
  return (signed, signature) => verify(digest, inputs.write(signed), rsa, signature)
}

function pssOptions(key: KeyObject, hash: number): VerifyKeyObjectInput {
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: hash / 8 }
}

function utf8(bytes: Uint8Array): string | undefined {
  if (isAscii(bytes)) return latin1Text(bytes as Buffer)
  return isUtf8(bytes) ? (bytes as Buffer).toString('utf8') : undefined
}
