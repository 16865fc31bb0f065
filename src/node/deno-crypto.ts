import { webCrypto, type CryptoBackend } from '../edge/token/index.js'
import { nodeCrypto } from './crypto.js'

/** A key beside the backend that took it in. */
interface DenoKey {
  readonly backend: CryptoBackend
  readonly handle: object
}

/**
 * The cryptography of this runtime: Deno's `node:crypto` for RSA and HMAC, and its WebCrypto for
 * ECDSA, which takes half the time there.
 */
export function platformCrypto(): CryptoBackend {
  const node = nodeCrypto()
  const web = webCrypto()
  return {
    ...node,
    name: 'deno',
    importKey(key): DenoKey {
      const backend = key.kty === 'EC' ? web : node
      try {
        return { backend, handle: backend.importKey(key) }
      } catch (cause) {
        throw new Error(`Deno cannot use the key ${key.kid} for ${key.alg}: ${String(cause)}`, {
          cause,
        })
      }
    },
    verify(key, signingInput, signature) {
      const { backend, handle } = key as DenoKey
      return backend.verify(handle, signingInput, signature)
    },
  }
}
