import { hash, timingSafeEqual } from 'node:crypto'
import { keyedHasher } from './keyed-hasher.js'
import { Room } from './room.js'

const INNER = 0x36
const OUTER = 0x5c

const messages = new Room()

/**
 * Checks HMACs (RFC 2104) of texts in ASCII with SHA-2 of so many bits, on Node by two one-shot hashes: an
 * Hmac object for each token costs twice as much, and so do hashes that come as buffers instead of text.
 */
export function hmacCheck(
  bits: 256 | 384 | 512,
  secret: Uint8Array,
): (message: string, mac: Uint8Array) => boolean {
  const digest = `sha${bits}`
  const hmacOf = keyedHasher(digest, secret)
  if (hmacOf) return (message, mac) => timingSafeEqual(hmacOf(message), mac)
  const block = Buffer.alloc(bits === 256 ? 64 : 128)
  block.set(secret.length > block.length ? hash(digest, secret, 'buffer') : secret)
  const inner = block.map((byte) => byte ^ INNER)
  const outer = Buffer.alloc(block.length + bits / 8)
  outer.set(block.map((byte) => byte ^ OUTER))
  const expected = Buffer.alloc(bits / 8)
  return (message, mac) => {
    outer.write(hash(digest, messages.write(message, inner), 'binary'), inner.length, 'latin1')
    expected.write(hash(digest, outer, 'binary'), 'latin1')
    return timingSafeEqual(expected, mac)
  }
}
