import { describe, expect, test } from 'vitest'
import {
  checkKeys,
  KeySetError,
  weaknesses,
  type KeySetErrorCode,
} from '../../../src/edge/token/index.js'
import { makeKeyPair } from '../../../src/node/demo/make-key-pair.js'
import { ALGS, KEYS, keyFor, makeKey } from './keys.js'

const rsa = keyFor('RS256').jwk
const ec = keyFor('ES256').jwk
const ec384 = keyFor('ES384').jwk
const oct = keyFor('HS256').jwk

const text = (value: string | Uint8Array) => Buffer.from(value).toString('base64url')
const random = (length: number) =>
  text(Buffer.from(Array.from({ length }, (_, i) => (i * 7) % 256)))

/** A number whose only use is its size. */
const modulus = (bits: number) => {
  const bytes = Buffer.alloc(Math.ceil(bits / 8), 0xa5)
  bytes[0] = 1 << ((bits - 1) % 8)
  return text(bytes)
}

function failure(keys: unknown): KeySetError {
  try {
    checkKeys(keys)
  } catch (error) {
    if (error instanceof KeySetError) return error
    throw error
  }
  throw new Error('these keys were accepted')
}

describe('good keys', () => {
  test.each(ALGS)('a key for %s comes back in the form of the spec', (alg) => {
    const { jwk } = keyFor(alg)
    expect(checkKeys([jwk])).toEqual({ keys: [jwk], messages: [] })
  })

  test('sixteen keys of all kinds may share a set, and checking twice changes nothing', () => {
    const keys = [...KEYS.values()].map(({ jwk }) => jwk)
    const more = Array.from({ length: 5 }, (_, i) => makeKey('HS256', `more-${i}`).jwk)
    const once = checkKeys([...keys, ...more])
    expect(once.keys).toHaveLength(16)
    expect(checkKeys(once.keys)).toEqual(once)
  })

  test.each([
    [
      'use, key_ops, x5c and unknown members are stripped',
      { ...rsa, use: 'sig', key_ops: ['verify'], x5c: ['MIIB'], x: 1 },
      rsa,
    ],
    ['crv is derived from alg', { ...ec, crv: undefined }, ec],
    [
      'leading zeros of numbers are stripped',
      {
        ...rsa,
        n: text(Buffer.concat([Buffer.alloc(1), Buffer.from(String(rsa['n']), 'base64url')])),
        e: 'AAAAAQAB',
      },
      rsa,
    ],
    ['an exponent of 3 will do', { ...rsa, e: 'Aw' }, { ...rsa, e: 'Aw' }],
    [
      'a __proto__ member is data',
      JSON.parse(`{"__proto__":{"d":"x"},${JSON.stringify(rsa).slice(1)}`) as object,
      rsa,
    ],
  ])('%s', (_name, given, expected) => {
    // JSON is how keys arrive; it leaves out what is undefined.
    const keys = [JSON.parse(JSON.stringify(given)) as object]
    expect(checkKeys(keys)).toEqual({ keys: [expected], messages: [] })
  })

  test('one kid may serve two algs', () => {
    expect(checkKeys([rsa, { ...ec, kid: rsa['kid'] }]).keys).toHaveLength(2)
  })

  test('moduli of 2,048 to 8,192 bits are accepted', () => {
    for (const bits of [2048, 2049, 3072, 4096, 8192]) {
      expect(checkKeys([{ ...rsa, n: modulus(bits) }]).keys).toHaveLength(1)
    }
  })
})

describe('messages', () => {
  test.each([
    ['without alg', {}],
    ['whose alg is null', { alg: null }],
  ])('an RSA key %s becomes RS256 and says so', (_name, alg) => {
    const { alg: _alg, ...rest } = rsa
    expect(checkKeys([{ ...rest, ...alg, kid: 'key-1' }])).toEqual({
      keys: [{ ...rsa, kid: 'key-1' }],
      messages: [
        {
          code: 110003,
          pointer: '/keys/0/alg',
          message: 'keys[0].alg was omitted and defaulted to "RS256" (kid "key-1")',
        },
      ],
    })
  })

  test.each([
    ['another kind of key', { kty: 'OKP', crv: 'Ed25519', kid: 'a', alg: 'EdDSA' }, '/keys/0/kty'],
    ['a key to encrypt with', { ...rsa, alg: 'RSA-OAEP', use: 'enc' }, '/keys/0/alg'],
    ['an algorithm outside of the list', { ...ec, alg: 'ES512' }, '/keys/0/alg'],
    ['alg none', { ...rsa, alg: 'none' }, '/keys/0/alg'],
    ['alg __proto__', { ...rsa, alg: '__proto__' }, '/keys/0/alg'],
    ['an alg that is no text', { ...rsa, alg: ['RS256'] }, '/keys/0/alg'],
  ])('%s is left out and named', (_name, key, pointer) => {
    const { keys, messages } = checkKeys([key, ec])
    expect(keys).toEqual([ec])
    expect(messages).toMatchObject([{ code: 110101, pointer }])
    expect(failure([key])).toMatchObject({ code: 'no_keys', pointer: '/keys' })
  })

  test.each(['a'.repeat(32), 'secret'.repeat(6), 'changeme'.repeat(4)])(
    'a secret like %s is reported',
    (secret) => {
      const keys = [{ ...oct, k: text(secret) }]
      const messages = weaknesses(keys)
      expect(checkKeys(keys).keys).toHaveLength(1)
      expect(messages).toMatchObject([{ code: 110102, pointer: '/keys/0/k' }])
      expect(messages[0]!.message).not.toContain(secret)
    },
  )

  test('a modulus made as ROCA makes them is reported, others are not', () => {
    // A power of 65537 modulo the product of the first primes, as the faulty library drew its primes.
    let product = 1n
    for (const prime of [
      2n,
      3n,
      5n,
      7n,
      11n,
      13n,
      17n,
      19n,
      23n,
      29n,
      31n,
      37n,
      41n,
      43n,
      47n,
      53n,
      59n,
      61n,
      67n,
      71n,
      73n,
      79n,
      83n,
      89n,
      97n,
      101n,
      103n,
      107n,
      109n,
      113n,
      127n,
      131n,
      137n,
      139n,
      149n,
      151n,
      157n,
      163n,
      167n,
    ]) {
      product *= prime
    }
    let value = 1n
    for (let i = 0; i < 40; i++) value = (value * 65537n) % product
    value += product * (2n ** 2047n / product + 1n)
    const n = text(Buffer.from(value.toString(16), 'hex'))
    expect(checkKeys([{ ...rsa, n }]).messages).toEqual([])
    expect(weaknesses([ec, { ...rsa, n }])).toMatchObject([{ code: 110103, pointer: '/keys/1/n' }])
    expect(weaknesses([rsa, ec, oct, null, 'x', { kty: 'RSA' }])).toEqual([])
    expect(weaknesses(undefined)).toEqual([])
  })
})

describe('refusals', () => {
  const pem = makeKeyPair('P-256').publicKey.export({
    type: 'spki',
    format: 'pem',
  })
  const der = makeKeyPair().publicKey.export({
    type: 'spki',
    format: 'der',
  })

  test.each<readonly [string, object, KeySetErrorCode, string]>([
    ['no kty', { ...rsa, kty: undefined }, 'missing_member', '/keys/0/kty'],
    ['no kid', { ...rsa, kid: undefined }, 'missing_member', '/keys/0/kid'],
    ['an empty kid', { ...rsa, kid: '' }, 'invalid_member', '/keys/0/kid'],
    ['a kid that is a number', { ...rsa, kid: 1 }, 'invalid_member', '/keys/0/kid'],
    ['a kid of 257 characters', { ...rsa, kid: 'k'.repeat(257) }, 'invalid_member', '/keys/0/kid'],
    ['an EC key without alg', { ...ec, alg: undefined }, 'missing_member', '/keys/0/alg'],
    ['an oct key without alg', { ...oct, alg: undefined }, 'missing_member', '/keys/0/alg'],
    ['RSA with an HMAC alg', { ...rsa, alg: 'HS256' }, 'kind_mismatch', '/keys/0/alg'],
    ['oct with an RSA alg', { ...oct, alg: 'RS256' }, 'kind_mismatch', '/keys/0/alg'],
    ['EC with a PSS alg', { ...ec, alg: 'PS256' }, 'kind_mismatch', '/keys/0/alg'],
    ['use enc', { ...rsa, use: 'enc' }, 'wrong_use', '/keys/0/use'],
    ['use of another type', { ...rsa, use: ['sig'] }, 'wrong_use', '/keys/0/use'],
    ['key_ops without verify', { ...rsa, key_ops: ['sign'] }, 'wrong_use', '/keys/0/key_ops'],
    ['key_ops empty', { ...rsa, key_ops: [] }, 'wrong_use', '/keys/0/key_ops'],
    ['key_ops as text', { ...rsa, key_ops: 'verify' }, 'wrong_use', '/keys/0/key_ops'],
    ['no n', { ...rsa, n: undefined }, 'missing_member', '/keys/0/n'],
    ['no e', { ...rsa, e: undefined }, 'missing_member', '/keys/0/e'],
    ['n as number', { ...rsa, n: 5 }, 'invalid_member', '/keys/0/n'],
    ['n padded', { ...rsa, n: `${String(rsa['n'])}==` }, 'invalid_member', '/keys/0/n'],
    ['n of no bytes', { ...rsa, n: '' }, 'weak_key', '/keys/0/n'],
    ['n of zeros', { ...rsa, n: text(Buffer.alloc(256)) }, 'weak_key', '/keys/0/n'],
    ['n of 1,024 bits', { ...rsa, n: modulus(1024) }, 'weak_key', '/keys/0/n'],
    ['n of 2,047 bits', { ...rsa, n: modulus(2047) }, 'weak_key', '/keys/0/n'],
    ['n of 8,193 bits', { ...rsa, n: modulus(8193) }, 'weak_key', '/keys/0/n'],
    [
      '2,047 bits behind a zero byte',
      {
        ...rsa,
        n: text(Buffer.concat([Buffer.alloc(1), Buffer.from(modulus(2047), 'base64url')])),
      },
      'weak_key',
      '/keys/0/n',
    ],
    [
      'an even n',
      { ...rsa, n: text(Buffer.concat([Buffer.alloc(255, 0xa5), Buffer.of(2)])) },
      'weak_key',
      '/keys/0/n',
    ],
    ['e = 0', { ...rsa, e: 'AA' }, 'weak_key', '/keys/0/e'],
    ['e = 1', { ...rsa, e: 'AQ' }, 'weak_key', '/keys/0/e'],
    ['e = 2', { ...rsa, e: 'Ag' }, 'weak_key', '/keys/0/e'],
    ['e even', { ...rsa, e: text(Buffer.of(1, 0, 2)) }, 'weak_key', '/keys/0/e'],
    ['e of five bytes', { ...rsa, e: text(Buffer.of(1, 0, 0, 0, 1)) }, 'weak_key', '/keys/0/e'],
    ['ES256 on P-384', { ...ec, crv: 'P-384' }, 'curve_mismatch', '/keys/0/crv'],
    [
      'ES384 with a P-256 point',
      { ...ec, alg: 'ES384', crv: 'P-384' },
      'invalid_member',
      '/keys/0/x',
    ],
    ['ES256 with an unknown curve', { ...ec, crv: '__proto__' }, 'curve_mismatch', '/keys/0/crv'],
    ['no y', { ...ec, y: undefined }, 'missing_member', '/keys/0/y'],
    [
      'a short x',
      { ...ec, x: text(Buffer.from(String(ec['x']), 'base64url').subarray(1)) },
      'invalid_member',
      '/keys/0/x',
    ],
    ['a point off P-256', { ...ec, y: ec['x'] }, 'invalid_point', '/keys/0/x'],
    ['a point off P-384', { ...ec384, y: ec384['x'] }, 'invalid_point', '/keys/0/x'],
    [
      'the point zero',
      { ...ec, x: text(Buffer.alloc(32)), y: text(Buffer.alloc(32)) },
      'invalid_point',
      '/keys/0/x',
    ],
    [
      'a coordinate beyond the field',
      { ...ec, x: text(Buffer.alloc(32, 0xff)) },
      'invalid_point',
      '/keys/0/x',
    ],
    ['no k', { ...oct, k: undefined }, 'missing_member', '/keys/0/k'],
    ['k null', { ...oct, k: null }, 'invalid_member', '/keys/0/k'],
    ['k as a number', { ...oct, k: 1 }, 'invalid_member', '/keys/0/k'],
    ['k empty', { ...oct, k: '' }, 'weak_key', '/keys/0/k'],
    ['k of 31 bytes for HS256', { ...oct, k: random(31) }, 'weak_key', '/keys/0/k'],
    ['k of 47 bytes for HS384', { ...oct, alg: 'HS384', k: random(47) }, 'weak_key', '/keys/0/k'],
    ['k of 63 bytes for HS512', { ...oct, alg: 'HS512', k: random(63) }, 'weak_key', '/keys/0/k'],
    ['k in standard base64', { ...oct, k: `${random(32)}+/` }, 'invalid_member', '/keys/0/k'],
    ['k padded', { ...oct, k: `${random(32)}=` }, 'invalid_member', '/keys/0/k'],
    ['k as plain PEM', { ...oct, k: pem }, 'secret_is_key', '/keys/0/k'],
    ['k as encoded PEM', { ...oct, k: text(pem) }, 'secret_is_key', '/keys/0/k'],
    [
      'k as encoded PEM behind spaces',
      { ...oct, k: text(` \n\t${pem.toString()}`) },
      'secret_is_key',
      '/keys/0/k',
    ],
    ['k as JWK text', { ...oct, k: text(JSON.stringify(rsa)) }, 'secret_is_key', '/keys/0/k'],
    [
      'k as plain JWK text',
      { ...oct, k: JSON.stringify(rsa, null, 2) },
      'secret_is_key',
      '/keys/0/k',
    ],
    ['k as DER', { ...oct, k: text(der) }, 'secret_is_key', '/keys/0/k'],
    ['k in an RSA key', { ...rsa, k: random(32) }, 'private_member', '/keys/0/k'],
    ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth'].map(
      (name) =>
        [
          `a private ${name}`,
          { ...rsa, [name]: 'c2VjcmV0' },
          'private_member',
          `/keys/0/${name}`,
        ] as const,
    ),
    ['a private d in an EC key', { ...ec, d: 'c2VjcmV0' }, 'private_member', '/keys/0/d'],
  ])('%s', (_name, given, code, pointer) => {
    const key = JSON.parse(JSON.stringify(given)) as Record<string, unknown>
    const error = failure([key])
    expect(error).toMatchObject({ name: 'KeySetError', code, pointer })
    const shown = JSON.stringify([error.message, error.issues])
    for (const member of ['k', 'd', 'p', 'q', 'dp', 'dq', 'qi']) {
      const secret = key[member]
      if (typeof secret === 'string' && secret !== '') expect(shown).not.toContain(secret)
    }
  })

  test.each<readonly [string, unknown, KeySetErrorCode, string]>([
    ['no array', { keys: [rsa] }, 'invalid_keys', '/keys'],
    ['null', null, 'invalid_keys', '/keys'],
    ['nothing', undefined, 'invalid_keys', '/keys'],
    ['an empty array', [], 'no_keys', '/keys'],
    [
      '17 keys',
      Array.from({ length: 17 }, (_, i) => makeKey('HS256', `k${i}`).jwk),
      'too_many_keys',
      '/keys',
    ],
    ['a key that is null', [null], 'invalid_key', '/keys/0'],
    ['a key that is text', [rsa, 'key'], 'invalid_key', '/keys/1'],
    ['a key that is an array', [[rsa]], 'invalid_key', '/keys/0'],
    ['{alg, kid} twice', [rsa, ec, { ...rsa, n: modulus(2048) }], 'duplicate_key', '/keys/2/kid'],
    [
      '{alg, kid} twice by default',
      [rsa, { ...rsa, alg: undefined }],
      'duplicate_key',
      '/keys/1/kid',
    ],
  ])('%s', (_name, keys, code, pointer) => {
    expect(failure(keys === undefined ? keys : JSON.parse(JSON.stringify(keys)))).toMatchObject({
      code,
      pointer,
    })
  })

  test('every fault is listed, in the order of the keys', () => {
    const { issues } = failure([{ ...rsa, e: 'AQ' }, ec, { ...oct, k: null }, 5])
    expect(issues.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['weak_key', '/keys/0/e'],
      ['invalid_member', '/keys/2/k'],
      ['invalid_key', '/keys/3'],
    ])
  })

  test('a message says what was wrong and what to do', () => {
    expect(failure([{ ...oct, k: random(16) }]).message).toBe(
      'keys[0].k has 16 bytes, must have 32 or more (RFC 7518 3.2); draw a secret at random',
    )
  })
})
