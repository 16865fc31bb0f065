import { describe, expect, test } from 'vitest'
import { keyFor, makeKey } from '../../edge/token/keys.js'
import type { Answer, Item } from '../stage.js'
import { CONFIG, config, idOf, refusalOf, toldBy, without } from './bodies.js'
import { servedFor } from './served.js'
import type { SpecRow } from './spec-rows.js'

const { call } = servedFor('token_configurations', 'token_keys')

const rs = keyFor('RS256').jwk
const es = keyFor('ES256').jwk
const es384 = keyFor('ES384').jwk
const hs = keyFor('HS256').jwk

const RSA: SpecRow = '2.3 RSA key (request and response)'
const ES256: SpecRow = '2.3 EC key, ES256 (request and response)'
const ES384: SpecRow = '2.3 EC key, ES384 (request and response)'
const OCT: SpecRow = '2.3 Symmetric key, request form'

/** The three calls that take keys, and where pointers to those begin. */
const WAYS: readonly (readonly [way: string, base: string])[] = [
  ['POST config', '/credentials/keys'],
  ['PUT credentials', '/keys'],
  ['PATCH credentials', '/keys'],
]

async function send(way: string, keys: readonly unknown[]): Promise<Answer> {
  if (way.startsWith('POST')) return call('POST', CONFIG, config({ credentials: { keys } }))
  const before = config({ credentials: { keys: [makeKey('ES256', 'before').jwk] } })
  const id = idOf(await call('POST', CONFIG, before))
  return call(way.split(' ')[0]!, `${CONFIG}/${id}/credentials`, { keys })
}

const keysIn = ({ json }: Answer): unknown =>
  json.keys ?? (json.result['credentials'] as { readonly keys: unknown }).keys

describe.each(WAYS)('%s takes', (way) => {
  test.each<[row: SpecRow, algs: readonly string[], members: readonly string[]]>([
    [RSA, ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'], ['alg', 'e', 'kid', 'kty', 'n']],
    [ES256, ['ES256'], ['alg', 'crv', 'kid', 'kty', 'x', 'y']],
    [ES384, ['ES384'], ['alg', 'crv', 'kid', 'kty', 'x', 'y']],
    ['2.3 Symmetric key, response form', ['HS256', 'HS384', 'HS512'], ['alg', 'kid', 'kty']],
  ])('%s: %j is answered with exactly %j', async (_row, algs, members) => {
    const keys = algs.map((alg) => keyFor(alg).jwk)
    const answer = await send(way, keys)
    expect(answer.status).toBe(200)
    const answered = keysIn(answer) as readonly Item[]
    expect(answered).toEqual(keys.map((key) => without(key, 'k')))
    for (const key of answered) expect(Object.keys(key).toSorted()).toEqual(members)
  })

  test.each<[what: string, key: Item, kept: Item]>([
    ['members that no key needs', { ...es, use: 'sig', ext: true, x5t: 'x', foo: 1 }, es],
    ['key_ops with verify', { ...rs, key_ops: ['verify', 'sign'] }, rs],
    ['no crv', without(es384, 'crv'), es384],
    ['leading zeros of an exponent', { ...rs, e: 'AAEAAQ' }, rs],
    ['the exponent 3', { ...rs, e: 'Aw' }, { ...rs, e: 'Aw' }],
  ])('a key with %s, and answers its own members alone', async (_what, key, kept) => {
    const answer = await send(way, [key])
    expect([answer.status, keysIn(answer)]).toEqual([200, [kept]])
  })

  test('2.3 identity {alg, kid}: keys that share one of the two', async () => {
    const keys = [es, { ...es384, kid: es['kid'] }, { ...es, kid: 'b' }, { ...es, kid: 'B' }]
    expect(keysIn(await send(way, keys))).toEqual(keys)
  })

  test(`${OCT}: of low variety, with a message`, async () => {
    const weak = { ...hs, k: Buffer.alloc(32, 1).toString('base64url') }
    const answer = await send(way, [weak])
    expect(answer.status).toBe(200)
    expect(toldBy(answer)).toEqual([
      [110102, `${way.startsWith('POST') ? '/credentials' : ''}/keys/0/k`],
    ])
  })
})

const SECRET = 'a-private-part-that-nobody-repeats'
const AT_FAULT = 110200
const UNKNOWN_KIND = 110101
const ALG_MISSING = 110003

/** Keys that are refused, where in them, and with which code. */
const REFUSED: readonly (readonly [
  row: SpecRow,
  what: string,
  key: Item,
  at: string,
  code: number,
])[] = [
  [RSA, 'no n', without(rs, 'n'), 'n', AT_FAULT],
  [RSA, 'no e', without(rs, 'e'), 'e', AT_FAULT],
  [RSA, 'no kid', without(rs, 'kid'), 'kid', AT_FAULT],
  [RSA, 'no kty', without(rs, 'kty'), 'kty', AT_FAULT],
  [RSA, 'no alg', without(rs, 'alg'), 'alg', ALG_MISSING],
  [RSA, 'alg null', { ...rs, alg: null }, 'alg', AT_FAULT],
  [RSA, 'alg of another kind', { ...rs, alg: 'ES256' }, 'alg', AT_FAULT],
  [RSA, 'alg of a secret', { ...rs, alg: 'HS256' }, 'alg', AT_FAULT],
  [RSA, 'alg none', { ...rs, alg: 'none' }, 'alg', UNKNOWN_KIND],
  [RSA, 'alg in lower case', { ...rs, alg: 'rs256' }, 'alg', UNKNOWN_KIND],
  [RSA, 'alg constructor', { ...rs, alg: 'constructor' }, 'alg', UNKNOWN_KIND],
  [RSA, 'alg RSA-OAEP', { ...rs, alg: 'RSA-OAEP' }, 'alg', UNKNOWN_KIND],
  [RSA, 'kty in lower case', { ...rs, kty: 'rsa' }, 'kty', UNKNOWN_KIND],
  [RSA, 'kty OKP', { ...rs, kty: 'OKP' }, 'kty', UNKNOWN_KIND],
  [RSA, 'n as a number', { ...rs, n: 1 }, 'n', AT_FAULT],
  [RSA, 'an even n', { ...rs, n: Buffer.alloc(256, 0xaa).toString('base64url') }, 'n', AT_FAULT],
  [RSA, 'padding', { ...rs, e: 'AQAB==' }, 'e', AT_FAULT],
  [RSA, 'base64 that is not canonical', { ...rs, e: 'AQABA' }, 'e', AT_FAULT],
  [RSA, 'e 1', { ...rs, e: 'AQ' }, 'e', AT_FAULT],
  [RSA, 'e 2', { ...rs, e: 'Ag' }, 'e', AT_FAULT],
  [RSA, 'e of 5 bytes', { ...rs, e: 'AQAAAAE' }, 'e', AT_FAULT],
  [RSA, 'an empty kid', { ...rs, kid: '' }, 'kid', AT_FAULT],
  [RSA, 'kid as a number', { ...rs, kid: 1 }, 'kid', AT_FAULT],
  [RSA, 'kid null', { ...rs, kid: null }, 'kid', AT_FAULT],
  ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map(
    (name) => [RSA, `the private ${name}`, { ...rs, [name]: SECRET }, name, AT_FAULT] as const,
  ),
  [RSA, 'use enc', { ...rs, use: 'enc' }, 'use', AT_FAULT],
  [RSA, 'key_ops without verify', { ...rs, key_ops: ['encrypt'] }, 'key_ops', AT_FAULT],
  [RSA, 'key_ops as text', { ...rs, key_ops: 'verify' }, 'key_ops', AT_FAULT],
  [ES256, 'no x', without(es, 'x'), 'x', AT_FAULT],
  [ES256, 'no y', without(es, 'y'), 'y', AT_FAULT],
  [ES256, 'no kid', without(es, 'kid'), 'kid', AT_FAULT],
  [ES256, 'no alg', without(es, 'alg'), 'alg', AT_FAULT],
  [ES256, 'no kty', without(es, 'kty'), 'kty', AT_FAULT],
  [ES256, 'crv P-384', { ...es, crv: 'P-384' }, 'crv', AT_FAULT],
  [ES256, 'crv null', { ...es, crv: null }, 'crv', AT_FAULT],
  [ES256, 'crv of another kind', { ...es, crv: 'Ed25519' }, 'crv', AT_FAULT],
  [ES256, 'alg ES512', { ...es, alg: 'ES512' }, 'alg', UNKNOWN_KIND],
  [ES256, 'a short x', { ...es, x: 'AAAA' }, 'x', AT_FAULT],
  [ES256, 'a long y', { ...es, y: `${String(es['y'])}AA` }, 'y', AT_FAULT],
  [ES256, 'no point of the curve', { ...es, x: es['y'] }, 'x', AT_FAULT],
  [ES256, 'the private d', { ...es, d: SECRET }, 'd', AT_FAULT],
  [ES384, 'crv P-256', { ...es384, crv: 'P-256' }, 'crv', AT_FAULT],
  [ES384, 'the coordinates of ES256', { ...es384, x: es['x'], y: es['y'] }, 'x', AT_FAULT],
  [ES384, 'no y', without(es384, 'y'), 'y', AT_FAULT],
  [OCT, 'k null', { ...hs, k: null }, 'k', AT_FAULT],
  [OCT, 'k as a number', { ...hs, k: 1 }, 'k', AT_FAULT],
  [OCT, 'an empty k', { ...hs, k: '' }, 'k', AT_FAULT],
  [OCT, 'k with padding', { ...hs, k: `${String(hs['k'])}=` }, 'k', AT_FAULT],
  [
    OCT,
    'k that is a JSON Web Key',
    { ...hs, k: Buffer.from(JSON.stringify(rs)).toString('base64url') },
    'k',
    AT_FAULT,
  ],
  [OCT, 'no alg', without(hs, 'alg'), 'alg', AT_FAULT],
  [OCT, 'no kid', without(hs, 'kid'), 'kid', AT_FAULT],
  [OCT, 'alg RS256', { ...hs, alg: 'RS256' }, 'alg', AT_FAULT],
  [OCT, 'alg HS1', { ...hs, alg: 'HS1' }, 'alg', UNKNOWN_KIND],
  [OCT, 'a member d', { ...hs, d: SECRET }, 'd', AT_FAULT],
]

describe.each(WAYS)('%s refuses', (way, base) => {
  test.each(REFUSED)('%s: with %s', async (_row, _what, key, at, code) => {
    const alone = await send(way, [key])
    expect(refusalOf(alone)).toEqual([400, code, `${base}/0/${at}`])
    const beside = await send(way, [{ ...es, kid: 'good' }, key])
    expect(refusalOf(beside)).toEqual([400, code, `${base}/1/${at}`])
    for (const { text } of [alone, beside]) {
      expect(text).not.toContain(SECRET)
      expect(text).not.toContain(String(hs['k']))
    }
  })

  test('2.3 Symmetric key, request form, 4.1 rule 3: without k, where none is stored', async () => {
    const answer = await send(way, [without(hs, 'k')])
    expect(refusalOf(answer)).toEqual([400, AT_FAULT, `${base}/0/k`])
  })

  test('2.3 identity {alg, kid}, 4.1 rule 2: the same pair twice', async () => {
    const answer = await send(way, [rs, es, { ...makeKey('ES256').jwk, kid: es['kid'] }])
    expect(refusalOf(answer)).toEqual([400, AT_FAULT, `${base}/2/kid`])
  })

  test('every key at fault, not only the first', async () => {
    const { json } = await send(way, [without(rs, 'n'), es, { ...es384, crv: 'P-256' }])
    expect(json.errors.map(({ source }) => source?.pointer)).toEqual([
      `${base}/0/n`,
      `${base}/2/crv`,
    ])
  })
})
