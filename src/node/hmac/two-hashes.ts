import { hash } from 'node:crypto'
import { Room } from '../room.js'
import type { HmacOf } from './hmac-check.js'
import { pads } from './pads.js'

const messages = new Room()

/**
 * By two one-shot hashes: on Node an Hmac object for each token costs twice as much, and so do hashes that
 * come as buffers instead of text.
 */
export function twoHashes(digest: string, block: number, secret: Uint8Array): HmacOf {
  const { inner, outer } = pads(digest, block, secret)
  const mac = hash(digest, '', 'buffer')
  const outerThenHash = Buffer.concat([outer, mac])
  return (message) => {
    const hashed = hash(digest, messages.write(message, inner), 'binary')
    outerThenHash.write(hashed, block, 'latin1')
    mac.write(hash(digest, outerThenHash, 'binary'), 'latin1')
    return mac
  }
}
