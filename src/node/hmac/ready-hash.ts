import { createHmac } from 'node:crypto'
import type { HmacOf } from './hmac-check.js'

/** A hash under way, of Bun's own. */
interface Hasher {
  copy(): Hasher
  update(message: string): Hasher
  digest(): Buffer
}

interface Bun {
  readonly CryptoHasher?: new (digest: string, key: Uint8Array) => Hasher
}

/**
 * By a hash that Bun makes ready with the key, once: a copy of it takes half as long as two hashes do.
 * Not where there is no such thing, or one that leaves keys aside.
 */
export function readyHash(digest: string, secret: Uint8Array): HmacOf | undefined {
  const { CryptoHasher } = (Reflect.get(globalThis, 'Bun') ?? {}) as Bun
  if (CryptoHasher === undefined) return undefined
  const ready = new CryptoHasher(digest, secret)
  const hmacOf = (message: string) => ready.copy().update(message).digest()
  const expected = createHmac(digest, secret).update(digest).digest()
  return expected.equals(hmacOf(digest)) ? hmacOf : undefined
}
