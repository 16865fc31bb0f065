import type { CryptoBackend } from '../edge/token/index.js'
import { nodeCrypto } from './crypto.js'

/** The cryptography of this runtime: `node:crypto`, which Node and Bun answer at once. */
export function platformCrypto(): CryptoBackend {
  return nodeCrypto()
}
