import { constants, createPublicKey, sign, verify as nodeVerify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkKeys,
  openToken,
  webCrypto,
  type CheckedKey,
  type OpenToken,
} from '../../src/edge/token/index.js'
import { decodeUtf8 } from '../../src/edge/token/utf8.js'
import { nodeCrypto } from '../../src/node/crypto.js'
import { derSignature } from '../../src/node/der-signature.js'
import { ALGS, keyFor, makeKey, signInput } from '../edge/token/keys.js'

const node = nodeCrypto()
const rewritten = nodeCrypto({ pssKeys: true })
const withOptions = nodeCrypto({ pssKeys: false })
const web = webCrypto()
const INPUT = 'eyJhbGciOiJ4In0.e30'

const checked = (jwk: unknown): CheckedKey => checkKeys([jwk]).keys[0]!

describe('signatures', () => {
  test.each(ALGS)('%s: good and altered ones, as WebCrypto judges them', async (alg) => {
    const key = keyFor(alg)
    const [ours, theirs] = [node.importKey(checked(key.jwk)), web.importKey(checked(key.jwk))]
    const good = signInput(key, INPUT)
    expect(node.verify(ours, INPUT, good)).toBe(true)
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.nat(255), async (at, byte) => {
        const changed = Uint8Array.from(good)
        changed[at] = byte
        const verdict = node.verify(ours, INPUT, changed)
        expect(verdict).toBe(byte === good[at])
        expect(await web.verify(theirs, INPUT, changed)).toBe(verdict)
      }),
      { numRuns: 30 },
    )
    expect(node.verify(ours, `${INPUT}x`, good)).toBe(false)
  })

  test.each(['PS256', 'PS384', 'PS512'])('%s wants a salt as long as the hash', async (alg) => {
    const key = keyFor(alg)
    const bits = Number(alg.slice(2))
    for (const saltLength of [0, 20, bits / 8 - 1, bits / 8, bits / 8 + 1, 80]) {
      const signature = sign(`sha${bits}`, Buffer.from(INPUT), {
        key: key.privateKey,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength,
      })
      for (const backend of [rewritten, withOptions, web]) {
        const handle = backend.importKey(checked(key.jwk))
        const verdict = await backend.verify(handle, INPUT, Uint8Array.from(signature))
        expect(verdict).toBe(saltLength === bits / 8)
      }
    }
  })

  test.each(['RS', 'PS'])('%s keys of one modulus are bound to their own hash', (family) => {
    for (const made of [256, 384, 512]) {
      const signature = signInput({ ...keyFor(`${family}${made}`) }, INPUT)
      for (const asked of [256, 384, 512]) {
        for (const backend of [rewritten, withOptions]) {
          const handle = backend.importKey(checked(keyFor(`${family}${asked}`).jwk))
          expect(backend.verify(handle, INPUT, signature)).toBe(made === asked)
        }
      }
    }
  })

  test('a secret longer than the block of the hash will do', () => {
    const key = makeKey('HS256')
    const jwk = { ...key.jwk, k: Buffer.alloc(200, 'a long secret').toString('base64url') }
    const handle = node.importKey(checked(jwk))
    expect(node.verify(handle, INPUT, signInput(key, INPUT))).toBe(false)
  })
})

describe('the two halves of an ECDSA signature as DER', () => {
  test.each([
    ['small numbers', '0001', '0002', '3006020101020102'],
    ['leading zeros', '00ff', '7fff', '3008020200ff02027fff'],
    ['a leading one bit', '8000', '0080', '3009020300800002020080'],
    ['zero', '0000', '0000', '3006020100020100'],
  ])('%s', (_name, r, s, der) => {
    expect(Buffer.from(derSignature(Buffer.from(r + s, 'hex'))).toString('hex')).toBe(der)
  })

  test.each([
    ['ES256', 32],
    ['ES384', 48],
  ] as const)('%s signatures mean the same in both forms', (alg, half) => {
    const key = keyFor(alg)
    const publicKey = createPublicKey(key.privateKey)
    const digest = `sha${alg.slice(2)}`
    for (let i = 0; i < 40; i++) {
      const raw = signInput(key, `${INPUT}${i}`)
      expect(nodeVerify(digest, Buffer.from(`${INPUT}${i}`), publicKey, derSignature(raw))).toBe(
        true,
      )
    }
    // Numbers of every length, and of values that end in a carry.
    for (let zeros = 0; zeros <= half; zeros++) {
      for (const fill of [0x01, 0x7f, 0x80, 0xff]) {
        const number = Buffer.alloc(half, fill).fill(0, 0, zeros)
        const der = derSignature(Buffer.concat([number, number]))
        expect(numbersOf(der)).toEqual([unsigned(number), unsigned(number)])
      }
    }
  })
})

describe('decoders', () => {
  test('tokens come apart as the portable reader takes them apart', () => {
    const segment = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
      fc
        .array(fc.constantFrom(...'ABQgwxyz019-_+/= \n\u0141'), { maxLength: 12 })
        .map((characters) => characters.join('')),
    )
    const token = fc
      .array(segment, { minLength: 1, maxLength: 4 })
      .map((segments) => segments.join('.'))
    fc.assert(
      fc.property(token, (text) => {
        expect(plain(node.open!(text))).toEqual(plain(openToken(text)))
      }),
      { numRuns: 2000 },
    )
  })

  test('every character anywhere in a token is judged as the portable reader does', () => {
    const segments = ['', 'QQ', 'QUE', 'QUJD', 'QUJDRA']
    for (const around of segments) {
      for (const last of [...Array(0x180).keys(), 0x2041, 0xd800, 0xffff].map((code) =>
        String.fromCharCode(code),
      )) {
        for (const text of [
          `${last}.${around}.QQ`,
          `e.${around}${last}.QQ`,
          `e.QQ.${last}${around}`,
        ])
          expect(plain(node.open!(text))).toEqual(plain(openToken(text)))
      }
    }
  })

  test('a token opened again comes apart as before, whatever was opened between', () => {
    const tokens = ['e30.QUJD.QQ', 'e30.QUJE.QQ', 'no token', 'e30.QU+D.QQ', 'e30.QUJDRA.QUJD']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...tokens), { maxLength: 20 }), (opened) => {
        for (const token of opened)
          expect(plain(node.open!(token))).toEqual(plain(openToken(token)))
      }),
    )
  })

  test('UTF-8 has the outcomes of the portable decoder', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 20 }),
      fc.string({ unit: 'binary', maxLength: 20 }).map((text) => new TextEncoder().encode(text)),
    )
    fc.assert(
      fc.property(bytes, (value) => {
        const buffer = Buffer.from(value)
        expect(node.utf8!(buffer)).toBe(decodeUtf8(buffer))
      }),
      { numRuns: 500 },
    )
    const mark = Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d])
    expect(node.utf8!(mark)).toBe('\ufeff{}')
    expect(decodeUtf8(mark)).toBe('\ufeff{}')
  })
})

/** Bytes as numbers: backends differ in the class that holds them. */
const plain = (token: OpenToken | undefined) =>
  token && {
    ...token,
    payload: [...token.payload],
    signature: [...token.signature],
  }

function unsigned(bytes: Uint8Array): bigint {
  return BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)
}

/** Reads a DER sequence of two positive integers, in the shortest form only. */
function numbersOf(der: Uint8Array): bigint[] {
  expect(der[0]).toBe(0x30)
  expect(der[1]).toBe(der.length - 2)
  const numbers: bigint[] = []
  for (let at = 2; at < der.length; at += 2 + der[at + 1]!) {
    expect(der[at]).toBe(0x02)
    const value = der.subarray(at + 2, at + 2 + der[at + 1]!)
    expect(value[0]! < 0x80).toBe(true)
    expect(value.length > 1 && value[0] === 0 && value[1]! < 0x80).toBe(false)
    numbers.push(unsigned(value))
  }
  return numbers
}
