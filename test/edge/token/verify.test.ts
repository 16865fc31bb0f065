import { runInNewContext } from 'node:vm'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  createVerifier,
  importKeySet,
  verifySignature,
  webCrypto,
  type CryptoBackend,
  type Verdict,
} from '../../../src/edge/token/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { platformCrypto as denoCrypto } from '../../../src/node/deno-crypto.js'
import { ALGS, KEYS, encode, keyFor, makeToken } from './keys.js'

const NOW = 1_700_000_000
const BACKENDS: readonly CryptoBackend[] = [nodeCrypto(), webCrypto(), denoCrypto()]
const JWKS = [...KEYS.values()].map(({ jwk }) => jwk)

describe.each(BACKENDS.map((crypto) => [crypto.name, crypto] as const))(
  'on %s',
  (_name, crypto) => {
    const verifier = createVerifier({ crypto })
    const keySet = importKeySet(JWKS, crypto)

    test.each(ALGS)('a good %s token is valid and gives its claims', async (alg) => {
      const payload = {
        sub: 'alice',
        exp: NOW + 10,
        nbf: NOW - 10,
        name: 'Zoë ✓',
        deep: { a: [1] },
      }
      const verdict = await verifier.verify(makeToken(keyFor(alg), { payload }), keySet, NOW)
      const { status, key, claims, claimsText } = verdict
      expect({ status, key, claims }).toEqual({
        status: 'valid',
        key: { alg, kid: `kid-${alg}` },
        claims: payload,
      })
      expect(claimsText).toBe(JSON.stringify(payload))
      expect(verdict.claims).toBe(claims)
    })

    test.each(ALGS)(
      'an %s token under another signature is not, and names its key',
      async (alg) => {
        const token = makeToken(keyFor(alg))
        const [header, payload] = token.split('.') as [string, string]
        const other = makeToken(keyFor(alg), { payload: { sub: 'root' } }).split('.')[2]!
        expect(await verifier.verify(`${header}.${payload}.${other}`, keySet, NOW)).toEqual({
          status: 'bad_signature',
          key: { alg, kid: `kid-${alg}` },
          claims: undefined,
        })
      },
    )

    test.each(ALGS)('signatures of %s are checked whatever the payload is', async (alg) => {
      const token = makeToken(keyFor(alg), { payload: 'no claims at all' })
      expect(await verifySignature(token, keySet, crypto)).toBe(true)
      expect(await verifySignature(token.replace('.', '.A'), keySet, crypto)).toBe(false)
      expect(await verifySignature('x', keySet, crypto)).toBe(false)
    })

    test('tokens judged at the same time get the verdicts of each alone, also while keys load', async () => {
      const loading = importKeySet(JWKS, crypto)
      const tokens = ALGS.flatMap((alg) =>
        [1, 500, 6000].flatMap((size) => {
          const good = makeToken(keyFor(alg), { payload: { sub: 's'.repeat(size) } })
          const other = makeToken(keyFor(alg), { payload: {} }).split('.')[2]!
          return [good, good.replace(/[^.]+$/, other)]
        }),
      )
      const statuses = async () => {
        const verdicts = tokens.map((token) => verifier.verify(token, loading, NOW))
        return (await Promise.all(verdicts)).map(({ status }) => status)
      }
      const expected = tokens.map((_, at) => (at % 2 === 0 ? 'valid' : 'bad_signature'))
      expect(await statuses()).toEqual(expected)
      expect(await statuses()).toEqual(expected)
    })

    test('of several faults the cheapest to find is told', async () => {
      // Each token has every fault below its own as well.
      const key = keyFor('ES256')
      const spoiled = (header: Record<string, unknown>, payload: unknown, length: number) =>
        makeToken(key, { header, payload }).replace(/[^.]*$/, encode(Buffer.alloc(length, 1)))
      const faults: readonly [Verdict['status'], string][] = [
        ['too_large', '.'.repeat(20_000)],
        ['malformed', `${spoiled({ crit: [], alg: 'none' }, '[]', 63)}=`],
        ['critical_header', spoiled({ crit: [], alg: 'none' }, '[]', 63)],
        ['alg_not_allowed', spoiled({ alg: 'none', kid: 'nobody' }, '[]', 63)],
        ['alg_not_allowed', spoiled({ alg: 'ES384' }, '[]', 63)],
        ['unknown_key', spoiled({ kid: 'nobody' }, '[]', 63)],
        ['bad_claims', spoiled({}, '[]', 63)],
        ['bad_claims', spoiled({}, { exp: 1, nbf: 'x' }, 63)],
        ['expired', spoiled({}, { exp: 1, nbf: NOW * 2 }, 63)],
        ['not_yet_valid', spoiled({}, { nbf: NOW * 2 }, 63)],
        ['bad_signature', spoiled({}, {}, 63)],
        ['bad_signature', spoiled({}, {}, 64)],
      ]
      for (const [status, token] of faults) {
        expect([status, (await verifier.verify(token, keySet, NOW)).status]).toEqual([
          status,
          status,
        ])
      }
    })

    test('tolerance is as configured, 0 included', async () => {
      const strict = createVerifier({ crypto, tolerance: 0 })
      const token = makeToken(keyFor('HS256'), { payload: { exp: NOW + 1, nbf: NOW } })
      const statuses = []
      for (const now of [NOW - 0.5, NOW, NOW + 0.5, NOW + 1]) {
        statuses.push((await strict.verify(token, keySet, now)).status)
      }
      expect(statuses).toEqual(['not_yet_valid', 'valid', 'valid', 'expired'])
    })

    test('a clock that is no number makes nothing valid', async () => {
      const token = makeToken(keyFor('HS256'))
      expect((await verifier.verify(token, keySet, Number.NaN)).status).toBe('expired')
    })

    test('a clock that is text is read as the number it writes', async () => {
      const token = makeToken(keyFor('HS256'), { payload: { nbf: NOW + 100 } })
      const text = String(NOW) as unknown as number
      expect((await verifier.verify(token, keySet, text)).status).toBe('not_yet_valid')
    })

    test('no token is absent', () => {
      expect(verifier.verify(undefined, keySet, NOW)).toMatchObject({ status: 'absent', key: null })
      expect(verifier.verify('', keySet, NOW)).toMatchObject({ status: 'absent' })
    })

    test('many different headers under good signatures are all accepted', async () => {
      for (let i = 0; i < 200; i++) {
        const token = makeToken(keyFor('HS256'), { header: { nonce: i % 150 } })
        expect((await verifier.verify(token, keySet, NOW)).status).toBe('valid')
      }
      for (let i = 0; i < 200; i++) {
        const token = makeToken(keyFor('HS256'), { header: { kid: `nobody ${i % 150}` } })
        expect((await verifier.verify(token, keySet, NOW)).status).toBe('unknown_key')
      }
    })

    test('keys are answered without their secrets', () => {
      const shown = keySet.publicKeys()
      expect(shown).toEqual(
        JWKS.map((jwk) => Object.fromEntries(Object.entries(jwk).filter(([name]) => name !== 'k'))),
      )
    })
  },
)

test('the backend decides whether answers come at once', async () => {
  const [now, later] = [nodeCrypto(), webCrypto()]
  const token = makeToken(keyFor('HS256'))
  const verdict = createVerifier({ crypto: now }).verify(token, importKeySet(JWKS, now), NOW)
  expectTypeOf(verdict).toEqualTypeOf<Verdict>()
  expect(verdict.status).toBe('valid')
  const promise = createVerifier({ crypto: later }).verify(token, importKeySet(JWKS, later), NOW)
  expectTypeOf(promise).toEqualTypeOf<Verdict | Promise<Verdict>>()
  expect(promise).toBeInstanceOf(Promise)
  expect(await promise).toEqual(verdict)
})

test.each([
  [
    'throws',
    () => {
      throw new Error('no crypto today')
    },
  ],
  ['rejects', () => Promise.reject(new Error('no crypto today'))],
])('a backend that %s makes the verdict unavailable', async (_name, verify) => {
  const crypto: CryptoBackend = { name: 'broken', importKey: () => ({}), verify }
  const keySet = importKeySet(JWKS, crypto)
  const verdict = await createVerifier({ crypto }).verify(makeToken(keyFor('ES256')), keySet, NOW)
  expect(verdict).toMatchObject({ status: 'unavailable', key: { kid: 'kid-ES256' } })
})

test.each([
  { tolerance: Number.NaN },
  { tolerance: -1 },
  { tolerance: 3601 },
  { tolerance: Infinity },
  { tolerance: '60' as unknown as number },
  { tolerance: [60] as unknown as number },
  { maxTokenBytes: 0 },
  { maxTokenBytes: Number.NaN },
  { maxTokenBytes: Infinity },
])('%j is refused when the verifier is made', (options) => {
  expect(() => createVerifier({ crypto: nodeCrypto(), ...options })).toThrow(RangeError)
})

test.each(['RS256', 'PS256'])(
  'a signature by %s as large as the modulus is bad, whatever the runtime says of it',
  (alg) => {
    const indulgent: CryptoBackend<boolean> = { ...nodeCrypto(), verify: () => true }
    const { jwk } = keyFor(alg)
    const verifier = createVerifier({ crypto: indulgent })
    const keySet = importKeySet([jwk], indulgent)
    const input = makeToken(keyFor(alg)).replace(/[^.]+$/, '')
    const modulus = Buffer.from(String(jwk['n']), 'base64url')
    const statusOf = (signature: Uint8Array) =>
      verifier.verify(input + encode(signature), keySet, NOW).status
    expect(statusOf(modulus)).toBe('bad_signature')
    expect(statusOf(new Uint8Array(modulus.length).fill(255))).toBe('bad_signature')
    modulus[modulus.length - 1]! -= 1
    expect(statusOf(modulus)).toBe('valid')
  },
)

test('promises of another realm are waited for like those of this one', async () => {
  const ForeignPromise = runInNewContext('Promise') as PromiseConstructor
  const crypto: CryptoBackend<Promise<boolean>> = {
    ...nodeCrypto(),
    verify: () => ForeignPromise.resolve(true),
  }
  const verdict = createVerifier({ crypto }).verify(
    makeToken(keyFor('ES256')),
    importKeySet(JWKS, crypto),
    NOW,
  )
  expect(verdict).toBeInstanceOf(Promise)
  expect(await verdict).toMatchObject({ status: 'valid' })
})
