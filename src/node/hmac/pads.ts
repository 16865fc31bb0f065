import { hash } from 'node:crypto'

const INNER = 0x36
const OUTER = 0x5c

/** What is hashed before a message, and before the hash of both: a block each (RFC 2104 2). */
export function pads(digest: string, block: number, secret: Uint8Array) {
  const key = Buffer.alloc(block)
  key.set(secret.length > block ? hash(digest, secret, 'buffer') : secret)
  return { inner: key.map((byte) => byte ^ INNER), outer: key.map((byte) => byte ^ OUTER) }
}
