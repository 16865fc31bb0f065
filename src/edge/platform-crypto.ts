import { skimTimes } from './skim/index.js'
import { decodeUtf8, webCrypto, type CryptoBackend } from './token/index.js'

const isUtf8 = (bytes: Uint8Array) => decodeUtf8(bytes) !== undefined

/**
 * The cryptography of this runtime: WebCrypto, the only one that workers and browsers have, and a
 * quicker reader of tokens than a gate has without, which costs a bundle about 1 kB.
 */
export function platformCrypto(): CryptoBackend {
  return { ...webCrypto(), skimTimes: (payload) => skimTimes(payload, isUtf8) }
}
