import { ALGORITHMS } from './algorithms.js'
import type { CryptoBackend, KeyHandle } from './crypto-backend.js'
import type { CheckedKey } from './jwk.js'
import { encodeUtf8 } from './utf8.js'

/** A key as the one thing done with it. */
type WebKey = (
  signingInput: string | Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
) => Promise<boolean>

/** Cryptography of the Web platform: workers, Deno, Bun, Node and browsers. Answers with promises. */
export function webCrypto(
  subtle: SubtleCrypto = globalThis.crypto.subtle,
): CryptoBackend<Promise<boolean>> {
  return {
    name: 'webcrypto',
    importKey: (key) => webKey(key, subtle),
    verify: (handle: KeyHandle, ...signed) => (handle as WebKey)(...signed),
  }
}

function webKey({ alg, ...jwk }: CheckedKey, subtle: SubtleCrypto): WebKey {
  const { kty, hash, pss, crv } = ALGORITHMS.get(alg)!
  const rsa = pss ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5'
  /** One object serves import and verify: each ignores the members meant for the other. */
  const parameters = {
    name: { RSA: rsa, EC: 'ECDSA', oct: 'HMAC' }[kty],
    hash: `SHA-${hash}`,
    namedCurve: crv ?? '',
    saltLength: hash / 8,
  }
  /** Set once imported: a call that need not wait for the key is twice as quick on Node. */
  let key: CryptoKey | undefined
  let loading: Promise<CryptoKey> | undefined
  /** At first use: a promise that fails before anyone listens would end a Node process. */
  const load = async (): Promise<CryptoKey> =>
    (key = await subtle.importKey('jwk', jwk, parameters, false, ['verify']))
  return (signingInput, signature) => {
    const check = (ready: CryptoKey): Promise<boolean> =>
      subtle.verify(parameters, ready, signature, encodeUtf8(signingInput))
    return key ? check(key) : (loading ??= load()).then(check)
  }
}
