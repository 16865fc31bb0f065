import { webCrypto, type CryptoBackend } from './token/index.js'

/** The cryptography of this runtime: WebCrypto, the only one that workers and browsers have. */
export function platformCrypto(): CryptoBackend {
  return webCrypto()
}
