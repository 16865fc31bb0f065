import { timingSafeEqual } from 'node:crypto'
import { midstates } from './midstates.js'
import { readyHash } from './ready-hash.js'
import { twoHashes } from './two-hashes.js'

/** The HMAC of a message in ASCII: bytes that are good until the next one. */
export type HmacOf = (message: string) => Uint8Array

/** Checks HMACs (RFC 2104) of texts in ASCII with SHA-2 of so many bits, in the way that is quickest here. */
export function hmacCheck(
  bits: 256 | 384 | 512,
  secret: Uint8Array,
): (message: string, mac: Uint8Array) => boolean {
  const digest = `sha${bits}`
  const block = bits === 256 ? 64 : 128
  const hmacOf =
    readyHash(digest, secret) ??
    midstates(digest, block, secret) ??
    twoHashes(digest, block, secret)
  return (message, mac) => timingSafeEqual(hmacOf(message), mac)
}
