import { createPublicKey, type KeyObject } from 'node:crypto'

const PSS = Buffer.from('06092a864886f70d01010a', 'hex')
const MGF1 = Buffer.from('06092a864886f70d010108', 'hex')
const SHA2 = new Map([
  [256, Buffer.from('0609608648016503040201', 'hex')],
  [384, Buffer.from('0609608648016503040202', 'hex')],
  [512, Buffer.from('0609608648016503040203', 'hex')],
])

const SEQUENCE = 0x30
const BIT_STRING = 0x03
const INTEGER = 0x02

/**
 * An RSA public key bound to RSASSA-PSS with one hash and a salt of the same length (RFC 4055 3.1),
 * the parameters of PS256, PS384 and PS512. Such a key needs no options object at each call.
 */
export function pssKey(key: KeyObject, hash: number): KeyObject {
  const sha = tlv(SEQUENCE, SHA2.get(hash)!)
  const parameters = tlv(
    SEQUENCE,
    tlv(0xa0, sha),
    tlv(0xa1, tlv(SEQUENCE, MGF1, sha)),
    tlv(0xa2, tlv(INTEGER, Buffer.of(hash / 8))),
  )
  const bits = tlv(BIT_STRING, Buffer.of(0), key.export({ type: 'pkcs1', format: 'der' }))
  const spki = tlv(SEQUENCE, tlv(SEQUENCE, PSS, parameters), bits)
  return createPublicKey({ key: spki, format: 'der', type: 'spki' })
}

function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const { length } = value
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.of(tag, ...size), value])
}
