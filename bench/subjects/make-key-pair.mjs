import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'

const publicKeyEncoding = { type: 'spki', format: 'der' }
const privateKeyEncoding = { type: 'pkcs8', format: 'der' }

/**
 * A fresh key pair, by what `generateKeyPairSync` takes.
 *
 * Written and read again, because Node 20 stands still for ever when, while it exports a key, it
 * collects the garbage that making this key has left.
 */
export function makeKeyPair(type, options) {
  const written = generateKeyPairSync(type, { ...options, publicKeyEncoding, privateKeyEncoding })
  const privateKey = createPrivateKey({ key: written.privateKey, ...privateKeyEncoding })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}
