import { ALGORITHMS } from './algorithms.js'
import type { CryptoBackend } from './crypto-backend.js'
import { encodeUtf8 } from './utf8.js'

/** A key as the one thing done with it. */
type WebKey = (signingInput: string, signature: Uint8Array<ArrayBuffer>) => Promise<boolean>

/** Cryptography of the Web platform: workers, Deno, Bun, Node and browsers. Answers with promises. */
export function webCrypto(subtle: SubtleCrypto = crypto.subtle): CryptoBackend<Promise<boolean>> {
  return {
    name: 'webcrypto',
    importKey({ alg, ...jwk }) {
      const { kty, hash, pss, crv } = ALGORITHMS.get(alg)!
      const rsa = pss ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5'
      const name = { RSA: rsa, EC: 'ECDSA', oct: 'HMAC' }[kty]
      /** One object serves import and verify: each ignores the members meant for the other. */
      const parameters = { name, hash: `SHA-${hash}`, namedCurve: crv, saltLength: hash / 8 }
      /** workerd takes each member over at every call: a name is quicker where the key says the rest. */
      const use = crv || pss ? parameters : name
      /** Set once imported: a call that need not wait for the key is twice as quick on Node. */
      let key: CryptoKey | undefined
      let loading: Promise<CryptoKey> | undefined
      /** Bytes lie where the next ones will, but `subtle.verify` copies them before it returns. */
      const check: WebKey = (signingInput, signature) => {
        if (key) return subtle.verify(use, key, signature, encodeUtf8(signingInput))
        const kept = new Uint8Array(signature)
        // At first use: a promise that fails before anyone listens would end a Node process.
        loading ??= subtle.importKey('jwk', jwk, parameters, false, ['verify'])
        return loading.then((imported) => {
          key = imported
          return check(signingInput, kept)
        })
      }
      return check
    },
    verify: (handle, signingInput, signature) => (handle as WebKey)(signingInput, signature),
  }
}
