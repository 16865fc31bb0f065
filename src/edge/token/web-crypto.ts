import { algorithm } from './algorithms.js'
import { decodeBase64Url } from './base64url.js'
import type { CheckedKey } from './jwk.js'
import type { CryptoBackend, KeyHandle } from './crypto-backend.js'
import { encodeUtf8 } from './utf8.js'

type Parameters = RsaHashedImportParams & EcKeyImportParams & EcdsaParams & RsaPssParams

interface WebKey {
  readonly parameters: Parameters
  readonly source: CheckedKey
  /** Set once imported: a call that need not wait for the key is twice as quick on Node. */
  key?: CryptoKey
  importing?: Promise<CryptoKey>
}

/** Cryptography of the Web platform: workers, Deno, Bun, Node and browsers. Answers with promises. */
export function webCrypto(
  subtle: SubtleCrypto = globalThis.crypto.subtle,
): CryptoBackend<Promise<boolean>> {
  /** Imports at first use: a promise that fails before anyone listens would end a Node process. */
  async function imported(handle: WebKey): Promise<CryptoKey> {
    handle.importing ??= importCryptoKey(subtle, handle.source, handle.parameters)
    return (handle.key = await handle.importing)
  }
  return {
    name: 'webcrypto',
    importKey: (key): WebKey => ({ source: key, parameters: parametersOf(key) }),
    verify(handle: KeyHandle, signingInput: string, signature: Uint8Array<ArrayBuffer>) {
      const { key, parameters } = handle as WebKey
      const check = (ready: CryptoKey) =>
        subtle.verify(parameters, ready, signature, encodeUtf8(signingInput))
      return key === undefined ? imported(handle as WebKey).then(check) : check(key)
    },
  }
}

/** One object serves import and verify: each ignores the members meant for the other. */
function parametersOf(key: CheckedKey): Parameters {
  const { kty, hash, pss, crv } = algorithm(key.alg)
  const rsa = pss === true ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5'
  return {
    name: kty === 'RSA' ? rsa : kty === 'EC' ? 'ECDSA' : 'HMAC',
    hash: `SHA-${hash}`,
    namedCurve: crv ?? '',
    saltLength: hash / 8,
  }
}

function importCryptoKey(
  subtle: SubtleCrypto,
  key: CheckedKey,
  parameters: Parameters,
): Promise<CryptoKey> {
  if (key.kty === 'oct') {
    return subtle.importKey('raw', decodeBase64Url(key.k)!, parameters, false, ['verify'])
  }
  const { alg: _alg, kid: _kid, ...jwk } = key
  return subtle.importKey('jwk', jwk, parameters, false, ['verify'])
}
