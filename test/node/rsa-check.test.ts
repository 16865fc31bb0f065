import { constants, hash, privateEncrypt, sign, verify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeKeyPair } from '../../src/node/demo/make-key-pair.js'
import { rsaCheck } from '../../src/node/rsa-check.js'

const { privateKey, publicKey } = makeKeyPair()
const SIZE = 256
const message = Buffer.from('eyJhbGciOiJSUzI1NiJ9.e30')
const digest = hash('sha256', message)
const INFO = '3031300d060960864801650304020105000420'

/** A signature of any block: the private key's work without its padding. */
const signatureOf = (block: Buffer) =>
  privateEncrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, block)

/** Padding of so many bytes between the marks, and what follows it. */
function blockOf(marks: string, padding: number, rest: string): Buffer {
  const block = Buffer.concat([
    Buffer.from(marks, 'hex'),
    Buffer.alloc(padding, 0xff),
    Buffer.from(`00${rest}`, 'hex'),
  ])
  expect(block.length).toBe(SIZE)
  return block
}

test.each([256, 384, 512] as const)('RSA with SHA-%i is that of verify', (bits) => {
  const check = rsaCheck(publicKey, bits, SIZE)
  fc.assert(
    fc.property(fc.base64String({ maxLength: 400 }), fc.nat(), (text, at) => {
      const bytes = Buffer.from(text)
      const signature = sign(`sha${bits}`, bytes, privateKey)
      expect(check(bytes, signature)).toBe(true)
      expect(check(Buffer.from(`${text}A`), signature)).toBe(false)
      signature[at % SIZE]! ^= 1
      expect(check(bytes, signature)).toBe(false)
    }),
    { numRuns: 50 },
  )
})

describe('of the blocks that a signature can be of', () => {
  test.each([
    ['the one', '0001', 202, INFO + digest, true],
    ['no NULL', '0001', 204, `302f300b0609608648016503040201${'0420'}${digest}`, false],
    ['something after the hash', '0001', 201, `${INFO}${digest}00`, false],
    ['much after the hash', '0001', 8, `${INFO}${digest}${'41'.repeat(194)}`, false],
    ['a length in two bytes', '0001', 201, `308131${INFO.slice(4)}${digest}`, false],
    ['another algorithm', '0001', 202, INFO.replace('020105', '020205') + digest, false],
    ['another hash', '0001', 202, INFO + hash('sha256', 'x'), false],
    ['the hash alone', '0001', 221, digest, false],
    ['the type of encryption', '0002', 202, INFO + digest, false],
    ['no type', '0000', 202, INFO + digest, false],
  ])('%s', (_, marks, padding, rest, isGood) => {
    const signature = signatureOf(blockOf(marks, padding, rest))
    expect(rsaCheck(publicKey, 256, SIZE)(message, signature)).toBe(isGood)
    expect(verify('sha256', message, publicKey, signature)).toBe(isGood)
  })

  test.each([
    ['zero', 0, 0],
    ['one', 0, 1],
    ['more than the modulus', 0xff, 0xff],
  ])('none is that of the number %s', (_, most, last) => {
    const signature = Buffer.alloc(SIZE, most)
    signature[SIZE - 1] = last
    expect(rsaCheck(publicKey, 256, SIZE)(message, signature)).toBe(false)
  })
})
