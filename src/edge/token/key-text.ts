import { binaryText } from './base64url.js'

/** Marks of keys in text and in DER: the object identifiers of RSA and of elliptic curve keys. */
const MARKS = [
  '-----BEGIN',
  '"kty"',
  'ssh-rsa ',
  '\x2a\x86\x48\x86\xf7\x0d\x01\x01',
  '\x2a\x86\x48\xce\x3d\x02\x01',
]

/**
 * Whether a would-be secret is the text or DER of a key. Verifiers that took a public key as their
 * HMAC secret were open to anyone who knew it (CVE-2023-48223 and its successors).
 */
export function isKeyText(secret: Uint8Array | string): boolean {
  const text = typeof secret === 'string' ? secret : binaryText(secret)
  return MARKS.some((mark) => text.includes(mark))
}
