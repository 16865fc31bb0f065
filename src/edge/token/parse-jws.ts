import { decodeBase64Url } from './base64url.js'
import type { CryptoBackend } from './crypto-backend.js'
import type { KeyEntry, KeySet } from './key-set.js'
import { refuse, type Verdict } from './verdict.js'

/** A compact JWS (RFC 7515 7.1) whose header names a key of the set; nothing is verified yet. */
export interface Jws {
  readonly header: string
  readonly key: KeyEntry
  readonly payload: Uint8Array
  readonly signingInput: string
  readonly signature: Uint8Array
}

/** Opens a token, or says why it cannot be one of this key set's. Cheap checks only. */
export function parseJws(token: string, keySet: KeySet, crypto: CryptoBackend): Jws | Verdict {
  const first = token.indexOf('.')
  const second = token.indexOf('.', first + 1)
  if (second < 0) return refuse('malformed')
  const decode = crypto.decode ?? decodeBase64Url
  // A further dot is outside of the alphabet, so it ends here as well.
  const signature = decode(token.slice(second + 1))
  const payload = decode(token.slice(first + 1, second))
  if (signature === undefined || payload === undefined) return refuse('malformed')
  const header = token.slice(0, first)
  const key = keySet.find(header, crypto)
  if ('status' in key) return key
  if (!isBelow(signature, key.limit)) return refuse('bad_signature', key.name)
  return { header, key, payload, signingInput: token.slice(0, second), signature }
}

/** Whether one number is less than another of as many bytes. The first byte mostly tells. */
function isBelow(number: Uint8Array, limit: Uint8Array): boolean {
  const at = number.findIndex((byte, index) => byte !== limit[index])
  return number.length === limit.length && number[at]! < limit[at]!
}
