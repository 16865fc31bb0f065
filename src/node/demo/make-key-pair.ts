import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyPairKeyObjectResult,
} from 'node:crypto'

const publicKeyEncoding = { type: 'spki', format: 'der' } as const
const privateKeyEncoding = { type: 'pkcs8', format: 'der' } as const

/**
 * A fresh key pair: RSA of 2,048 bits, or of an elliptic curve.
 *
 * Written and read again, because Node 20 stands still for ever when, while it exports a key, it
 * collects the garbage that making this key has left.
 */
export function makeKeyPair(namedCurve?: string): KeyPairKeyObjectResult {
  const { privateKey: der } =
    namedCurve === undefined
      ? generateKeyPairSync('rsa', { modulusLength: 2048, publicKeyEncoding, privateKeyEncoding })
      : generateKeyPairSync('ec', { namedCurve, publicKeyEncoding, privateKeyEncoding })
  const privateKey = createPrivateKey({ key: der, ...privateKeyEncoding })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}
