import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createVerdictCache,
  createVerifier,
  importKeySet,
  webCrypto,
} from '../../../src/edge/token/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { ALGS, KEYS, encode, keyFor, makeKey, makeToken, signInput } from './keys.js'

const NOW = 1_700_000_000
const crypto = nodeCrypto()
const JWKS = [...KEYS.values()].map(({ jwk }) => jwk)
const keySet = importKeySet(JWKS, crypto)
const verifier = createVerifier({ crypto })
const verify = (token: string, now = NOW) => verifier.verify(token, keySet, now)

const seconds = fc.oneof(
  fc.integer({ min: NOW - 130, max: NOW + 130 }),
  fc.double({ min: NOW - 130, max: NOW + 130, noNaN: true }),
)
const name = fc.constantFrom('exp', 'nbf', 'sub', 'aud', '__proto__', 'constructor', 'a')
const payload = fc.oneof(
  fc.record({ exp: seconds, nbf: seconds, sub: fc.string() }, { requiredKeys: [] }),
  fc.dictionary(name, fc.jsonValue({ maxDepth: 2 })),
  fc.jsonValue({ maxDepth: 2 }),
)
const header = fc.record(
  {
    alg: fc.constantFrom<unknown>(...ALGS, 'none', '__proto__', 'constructor', null, 1),
    kid: fc.constantFrom<unknown>(
      ...ALGS.map((alg) => `kid-${alg}`),
      '__proto__',
      'constructor',
      1,
      null,
    ),
    crit: fc.constantFrom<unknown>([], ['exp'], null),
  },
  { requiredKeys: [] },
)
/** Tokens good, bad and strange, each with some signature made by some key. */
const token = fc
  .tuple(
    fc.constantFrom('ES256', 'HS256', 'HS512', 'RS256'),
    fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: header }),
    payload,
    fc.oneof({ weight: 4, arbitrary: fc.constant('') }, fc.constantFrom('A', '=', ' ', '.', '.A')),
  )
  .map(
    ([alg, members, claims, tail]) =>
      makeToken(keyFor(alg), { header: members, payload: claims ?? 'null' }) + tail,
  )

describe('laws', () => {
  test('the order of the keys changes no verdict', () => {
    fc.assert(
      fc.property(
        token,
        fc.shuffledSubarray(JWKS, { minLength: JWKS.length }),
        (text, shuffled) => {
          const other = importKeySet(shuffled, crypto)
          expect(verifier.verify(text, other, NOW)).toEqual(verify(text))
        },
      ),
      { numRuns: 60 },
    )
  })

  test('the cache changes no verdict, whatever came before and whatever the time', () => {
    const others = importKeySet(
      [...JWKS.slice(0, 6), makeKey('HS256').jwk, makeKey('ES256').jwk],
      crypto,
    )
    fc.assert(
      fc.property(
        fc.array(token, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(3), fc.boolean(), seconds), { minLength: 4, maxLength: 12 }),
        (tokens, requests) => {
          const cached = createVerifier({
            crypto,
            cache: createVerdictCache({ entries: 4, rejected: 4 }),
          })
          for (const [index, isOther, now] of requests) {
            const text = tokens[index % tokens.length]!
            const keys = isOther ? others : keySet
            expect(cached.verify(text, keys, now)).toEqual(verifier.verify(text, keys, now))
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('both backends and both decoders agree on every token', async () => {
    const web = webCrypto()
    const webKeys = importKeySet(JWKS, web)
    const webVerifier = createVerifier({ crypto: web })
    await fc.assert(
      fc.asyncProperty(token, seconds, async (text, now) => {
        expect(await webVerifier.verify(text, webKeys, now)).toEqual(verify(text, now))
      }),
      { numRuns: 100 },
    )
  })

  test('moving now, exp and nbf by one amount keeps the verdict', () => {
    const whole = fc.integer({ min: NOW - 130, max: NOW + 130 })
    fc.assert(
      fc.property(whole, whole, fc.integer({ min: -1e9, max: 1e9 }), (exp, nbf, shift) => {
        const key = keyFor('HS256')
        const before = verify(makeToken(key, { payload: { exp, nbf } }))
        const after = verify(
          makeToken(key, { payload: { exp: exp + shift, nbf: nbf + shift } }),
          NOW + shift,
        )
        expect(after.status).toBe(before.status)
      }),
    )
  })

  test.each(ALGS)(
    'one flipped bit in the bytes of any part of a token by %s never stays valid',
    (alg) => {
      const good = makeToken(keyFor(alg), { payload: { sub: 'alice', exp: NOW + 100 } })
      expect(verify(good).status).toBe('valid')
      const parts = good.split('.').map((part) => Buffer.from(part, 'base64url'))
      fc.assert(
        fc.property(fc.nat(2), fc.nat(), fc.nat(7), (part, at, bit) => {
          const changed = parts.map((bytes) => Buffer.from(bytes))
          changed[part]![at % changed[part]!.length]! ^= 1 << bit
          expect(verify(changed.map((bytes) => encode(bytes)).join('.')).status).not.toBe('valid')
        }),
        { numRuns: 60 },
      )
    },
  )

  test.each(ALGS)('one flipped bit in the text of a token by %s never stays valid', (alg) => {
    const good = makeToken(keyFor(alg))
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(15), (at, bit) => {
        const changed = String.fromCharCode(good.charCodeAt(at) ^ (1 << bit))
        const text = good.slice(0, at) + changed + good.slice(at + 1)
        expect(verify(text).status).not.toBe('valid')
      }),
      { numRuns: 60 },
    )
  })

  test('any text at all gets a verdict, and no exception', () => {
    const segment = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.jsonValue().map((value) => encode(JSON.stringify(value))),
    )
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(segment, { maxLength: 5 }).map((segments) => segments.join('.')),
    )
    fc.assert(
      fc.property(texts, fc.double(), (text, now) => {
        expect(verify(text, now).status).not.toBe('valid')
      }),
      { numRuns: 300 },
    )
  })

  test('names from the prototype of every object do nothing as kid, alg or claim', () => {
    const strange = [
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'valueOf',
      'hasOwnProperty',
    ]
    const key = makeKey('HS256', '__proto__')
    const own = importKeySet([key.jwk], crypto)
    for (const word of strange) {
      const input = `${encode(`{"alg":"HS256","kid":${JSON.stringify(word)},"${word}":1}`)}.${encode(`{"${word}":{"exp":1}}`)}`
      const text = `${input}.${encode(signInput(key, input))}`
      expect(verify(text).status).toBe('unknown_key')
      // With a duplicate of no other member, a kid spelt __proto__ is a kid like any other.
      expect(verifier.verify(text, own, NOW).status).toBe(
        word === '__proto__' ? 'valid' : 'unknown_key',
      )
      expect(verify(makeToken(keyFor('HS256'), { header: { alg: word } })).status).toBe(
        'alg_not_allowed',
      )
    }
    expect(({} as Record<string, unknown>)['exp']).toBeUndefined()
  })
})
