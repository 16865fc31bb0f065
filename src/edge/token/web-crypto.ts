import { ALGORITHMS } from './algorithms.js'
import type { CheckedKey } from './jwk.js'
import type { CryptoBackend, KeyHandle } from './crypto-backend.js'
import { encodeUtf8 } from './utf8.js'

type Parameters = RsaHashedImportParams & EcKeyImportParams & EcdsaParams & RsaPssParams

interface WebKey {
  readonly parameters: Parameters
  readonly source: CheckedKey
  /** Set once imported: a call that need not wait for the key is twice as quick on Node. */
  key?: CryptoKey
  loading?: Promise<CryptoKey>
}

/** Cryptography of the Web platform: workers, Deno, Bun, Node and browsers. Answers with promises. */
export function webCrypto(
  subtle: SubtleCrypto = globalThis.crypto.subtle,
): CryptoBackend<Promise<boolean>> {
  /** Imports at first use: a promise that fails before anyone listens would end a Node process. */
  async function load(handle: WebKey): Promise<CryptoKey> {
    const { alg: _alg, ...jwk } = handle.source
    return (handle.key = await subtle.importKey('jwk', jwk, handle.parameters, false, ['verify']))
  }
  return {
    name: 'webcrypto',
    importKey: (key): WebKey => ({ source: key, parameters: parametersOf(key) }),
    verify(handle: KeyHandle, signingInput: string, signature: Uint8Array<ArrayBuffer>) {
      const webKey = handle as WebKey
      const check = (key: CryptoKey) =>
        subtle.verify(webKey.parameters, key, signature, encodeUtf8(signingInput))
      return webKey.key ? check(webKey.key) : (webKey.loading ??= load(webKey)).then(check)
    },
  }
}

/** One object serves import and verify: each ignores the members meant for the other. */
function parametersOf(key: CheckedKey): Parameters {
  const { kty, hash, pss, crv } = ALGORITHMS.get(key.alg)!
  const rsa = pss === true ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5'
  return {
    name: kty === 'RSA' ? rsa : kty === 'EC' ? 'ECDSA' : 'HMAC',
    hash: `SHA-${hash}`,
    namedCurve: crv ?? '',
    saltLength: hash / 8,
  }
}
