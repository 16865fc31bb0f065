import { algorithm } from './algorithms.js'
import { decodeBase64Url } from './base64url.js'
import type { CheckedKey } from './check-keys.js'
import type { CryptoBackend, KeyHandle } from './crypto-backend.js'
import { encodeUtf8 } from './utf8.js'

type Parameters = RsaHashedImportParams & EcKeyImportParams & EcdsaParams & RsaPssParams

class WebKey {
  readonly parameters: Parameters
  readonly #key: CheckedKey
  #imported: Promise<CryptoKey> | undefined

  constructor(key: CheckedKey, parameters: Parameters) {
    this.#key = key
    this.parameters = parameters
  }

  /** Imported at first use: a promise that fails before anyone listens would end a Node process. */
  load(subtle: SubtleCrypto): Promise<CryptoKey> {
    return (this.#imported ??= importCryptoKey(subtle, this.#key, this.parameters))
  }
}

/** Cryptography of the Web platform: workers, Deno, Bun, Node and browsers. Answers with promises. */
export function webCrypto(
  subtle: SubtleCrypto = globalThis.crypto.subtle,
): CryptoBackend<Promise<boolean>> {
  return {
    name: 'webcrypto',
    importKey: (key) => new WebKey(key, parametersOf(key)),
    async verify(handle: KeyHandle, signingInput: string, signature: Uint8Array<ArrayBuffer>) {
      const key = await (handle as WebKey).load(subtle)
      return subtle.verify((handle as WebKey).parameters, key, signature, encodeUtf8(signingInput))
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
