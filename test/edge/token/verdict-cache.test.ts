import { describe, expect, test, vi } from 'vitest'
import {
  createVerdictCache,
  createVerifier,
  importKeySet,
  type CryptoBackend,
  type VerdictCache,
} from '../../../src/edge/token/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { keyFor, makeKey, makeToken } from './keys.js'

const NOW = 1_700_000_000
const key = keyFor('HS256')

/** A backend that counts how often it is asked. */
function counting(): CryptoBackend<boolean> & { calls: number } {
  const crypto = nodeCrypto()
  return {
    ...crypto,
    calls: 0,
    verify(handle, input, signature) {
      this.calls++
      return crypto.verify(handle, input, signature)
    },
  }
}

function setUp(cache: VerdictCache = createVerdictCache(), crypto = counting()) {
  const keySet = importKeySet([key.jwk], crypto)
  const verifier = createVerifier({ crypto, cache })
  const verify = (token: string, now = NOW, keys = keySet) => verifier.verify(token, keys, now)
  return { crypto, cache, keySet, verify }
}

/** With another beginning of its signature: the rest is as different as signatures are. */
const spoil = (token: string) =>
  token.replace(
    /\.(.{3})([^.]*)$/,
    (_, start, rest) => `.${start === 'AAA' ? 'BBB' : 'AAA'}${rest}`,
  )
/** The same characters in a string that was never seen before. */
const fresh = (token: string) => Buffer.from(token).toString()

describe('what is remembered', () => {
  test('a verified token is looked up by its text, whatever string holds it', () => {
    const { crypto, cache, verify } = setUp()
    const token = makeToken(key)
    const first = verify(token)
    expect(verify(fresh(token))).toBe(first)
    expect(crypto.calls).toBe(1)
    expect(cache.stats()).toMatchObject({
      hits: 1,
      misses: 1,
      rejectedHits: 0,
      entries: 1,
      bytes: token.length,
    })
  })

  test('a bad signature is remembered as well, once it comes again', () => {
    const { crypto, cache, verify } = setUp()
    const token = spoil(makeToken(key))
    expect(verify(token).status).toBe('bad_signature')
    expect(cache.stats()).toMatchObject({ misses: 1, rejectedEntries: 0, bytes: 0 })
    for (let again = 0; again < 3; again++)
      expect(verify(fresh(token)).status).toBe('bad_signature')
    expect(crypto.calls).toBe(2)
    expect(cache.stats()).toMatchObject({
      rejectedHits: 2,
      misses: 2,
      entries: 0,
      rejectedEntries: 1,
      bytes: token.length,
    })
  })

  test('bad signatures that never come again leave nothing behind', () => {
    const { cache, verify } = setUp()
    for (let i = 0; i < 5000; i++) verify(spoil(makeToken(key, { payload: { i } })))
    expect(cache.stats()).toMatchObject({ rejectedEntries: 0, bytes: 0 })
  })

  test.each([
    ['malformed', 'a.b.c'],
    ['unknown_key', makeToken(key, { header: { kid: 'nobody' } })],
    ['critical_header', makeToken(key, { header: { crit: [] } })],
    ['expired', makeToken(key, { payload: { exp: 1 } })],
    ['bad_claims', makeToken(key, { payload: '[]' })],
    ['bad_signature', makeToken(key).replace(/[^.]*$/, 'AAAA')],
  ])('a token that is %s before its signature is checked is not', (status, token) => {
    const { cache, verify } = setUp()
    expect(verify(token).status).toBe(status)
    expect(cache.stats()).toMatchObject({ entries: 0, rejectedEntries: 0 })
  })

  test('a long token with a bad signature is not', () => {
    const { cache, verify } = setUp()
    const long = makeToken(key, { payload: { a: 'a'.repeat(4000) } })
    for (let time = 0; time < 3; time++) verify(spoil(long))
    expect(cache.stats().rejectedEntries).toBe(0)
    verify(long)
    expect(cache.stats()).toMatchObject({ entries: 1, bytes: long.length })
  })

  test.each([
    ['read without parsing', counting],
    ['that had to be parsed', () => Object.assign(counting(), { skimTimes: () => undefined })],
  ])('claims handed out twice, %s, are the same frozen object, parsed once', (_, backend) => {
    const { verify } = setUp(createVerdictCache(), backend())
    const token = makeToken(key, { payload: { a: { b: [{ c: 1 }] } } })
    verify(makeToken(key))
    const parse = vi.spyOn(JSON, 'parse')
    const [first, second] = [verify(token), verify(fresh(token))]
    expect(second.claims).toBe(first.claims)
    expect(parse).toHaveBeenCalledTimes(1)
    parse.mockRestore()
    const { a } = first.claims as unknown as { a: { b: { c: number }[] } }
    for (const value of [first, first.claims, first.key, a, a.b, a.b[0]]) {
      expect(Object.isFrozen(value)).toBe(true)
    }
  })
})

describe('what ends a remembered verdict', () => {
  test('exp passing and nbf not reached, to the second', () => {
    const { crypto, verify } = setUp()
    const token = makeToken(key, { payload: { nbf: NOW, exp: NOW + 100 } })
    const outcomes = [NOW, NOW + 159, NOW + 160, NOW - 60, NOW - 61, NOW].map(
      (now) => verify(token, now).status,
    )
    expect(outcomes).toEqual(['valid', 'valid', 'expired', 'valid', 'not_yet_valid', 'valid'])
    expect(crypto.calls).toBe(1)
  })

  test('time decides before a remembered bad signature, as it does before a fresh one', () => {
    const { cache, verify } = setUp()
    const token = spoil(makeToken(key, { payload: { exp: NOW } }))
    for (let time = 0; time < 3; time++) expect(verify(token, NOW).status).toBe('bad_signature')
    expect(cache.stats().rejectedHits).toBe(1)
    expect(verify(token, NOW + 60).status).toBe('expired')
  })

  test('another key set, even one of the same keys', () => {
    const { crypto, cache, verify } = setUp()
    const token = makeToken(key)
    verify(token)
    verify(token, NOW, importKeySet([key.jwk], crypto))
    expect(crypto.calls).toBe(2)
    expect(cache.stats().entries).toBe(2)
  })

  test('the removal of the key', () => {
    const { crypto, verify } = setUp()
    const token = makeToken(key)
    expect(verify(token).status).toBe('valid')
    const others = importKeySet([makeKey('HS256', 'another').jwk], crypto)
    expect(verify(token, NOW, others).status).toBe('unknown_key')
  })
})

describe('bounds', () => {
  test('no more entries than asked for, each found as long as it is held', () => {
    const { cache, verify } = setUp(createVerdictCache({ entries: 64, rejected: 16 }))
    for (let i = 0; i < 1000; i++) {
      const token = makeToken(key, { payload: { i } })
      expect(verify(token).status).toBe('valid')
      expect(verify(token).status).toBe('valid')
      for (let time = 0; time < 3; time++) verify(spoil(token))
    }
    const { entries, rejectedEntries, hits, rejectedHits } = cache.stats()
    expect(entries).toBeLessThanOrEqual(64)
    expect(entries).toBeGreaterThanOrEqual(32)
    expect(rejectedEntries).toBeLessThanOrEqual(16)
    expect(rejectedEntries).toBeGreaterThanOrEqual(8)
    expect(hits).toBe(1000)
    expect(rejectedHits).toBe(1000)
  })

  test('no more text than asked for', () => {
    const maxBytes = 20_000
    const { cache, verify } = setUp(createVerdictCache({ entries: 1024, maxBytes }))
    for (let i = 0; i < 200; i++) {
      verify(makeToken(key, { payload: { i, a: 'a'.repeat((i * 37) % 3000) } }))
      expect(cache.stats().bytes).toBeLessThanOrEqual(maxBytes)
    }
    verify(makeToken(key, { payload: { a: 'a'.repeat(11_000) } }))
    expect(cache.stats().bytes).toBeLessThanOrEqual(maxBytes)
  })

  test('a working set of half the size is never verified twice, whatever comes between', () => {
    const { crypto, verify } = setUp(createVerdictCache({ entries: 128 }))
    const tokens = Array.from({ length: 32 }, (_, i) => makeToken(key, { payload: { i } }))
    for (const token of tokens) verify(token)
    crypto.calls = 0
    for (let other = 0; other < 2000; other++) {
      verify(tokens[other % 32]!)
      verify(makeToken(key, { payload: { other } }))
    }
    expect(crypto.calls).toBe(2000)
  })

  test('a thousand tokens fit a table of twice as many', () => {
    const { crypto, cache, verify } = setUp(createVerdictCache({ entries: 2000 }))
    const tokens = Array.from({ length: 1000 }, (_, i) => makeToken(key, { payload: { i } }))
    for (const token of [...tokens, ...tokens]) verify(token)
    expect(crypto.calls).toBe(1000)
    expect(cache.stats()).toMatchObject({ entries: 1000, hits: 1000 })
  })

  test('junk never pushes out a good token', () => {
    const { crypto, cache, verify } = setUp(createVerdictCache({ entries: 16, rejected: 16 }))
    const tokens = Array.from({ length: 4 }, (_, i) => makeToken(key, { payload: { i } }))
    for (const token of tokens) verify(token)
    const junk = Array.from({ length: 500 }, (_, i) =>
      spoil(makeToken(key, { payload: { junk: i } })),
    )
    for (const token of junk) for (let time = 0; time < 3; time++) verify(token)
    crypto.calls = 0
    for (const token of tokens) expect(verify(token).status).toBe('valid')
    expect(crypto.calls).toBe(0)
    expect(cache.stats().entries).toBe(4)
  })

  test('a token that shares the indexed characters of a good one is judged by itself', () => {
    const { verify } = setUp()
    const good = makeToken(key, { payload: { sub: 'alice' } })
    const forged = makeToken(key, { payload: { sub: 'root' } }).replace(
      /[^.]*$/,
      good.split('.')[2]!,
    )
    expect(verify(good).status).toBe('valid')
    for (let time = 0; time < 3; time++) expect(verify(forged).status).toBe('bad_signature')
    expect(verify(good).claims).toEqual({ sub: 'alice' })
    expect(verify(forged).status).toBe('bad_signature')
  })

  test.each([
    { entries: 0 },
    { entries: 1 },
    { entries: -1 },
    { entries: Number.NaN },
    { entries: 2 ** 21 },
    { rejected: 0 },
    { maxBytes: -1 },
  ])('%j cannot be meant', (options) => {
    expect(() => createVerdictCache(options)).toThrow(RangeError)
  })
})
