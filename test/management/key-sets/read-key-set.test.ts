import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkKeys } from '../../../src/edge/token/index.js'
import { NOBODYS_KEY } from '../../../src/management/key-sets/nobodys-key.js'
import { mergedKeys } from '../../../src/management/key-sets/merged-keys.js'
import { readKeySet } from '../../../src/management/key-sets/read-key-set.js'
import { makeKey } from '../../edge/token/keys.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (keys: unknown) => readKeySet(bytes(JSON.stringify({ keys })))
const without = (jwk: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(jwk).filter(([name]) => !names.includes(name)))

const rsa = makeKey('RS256', 'r').jwk
const p256 = makeKey('ES256', 'e').jwk
const p384 = makeKey('ES384', 'f').jwk
const oct = makeKey('HS256', 'o').jwk

test('keys of the spec are taken in its form, whatever else is in them', () => {
  const extra = { use: 'sig', key_ops: ['verify'], x5t: 'abc', ext: true }
  const { keys, findings } = read([{ ...rsa, ...extra }, p256, p384])
  expect(keys).toEqual([rsa, p256, p384])
  expect(findings).toEqual([])
})

test.each([
  ['P-256', p256, 'ES256', 0],
  ['P-384', p384, 'ES384', 0],
  ['RSA, where it is told of', rsa, 'RS256', 1],
])('a key without alg gets the one of %s', (_, jwk, alg, notices) => {
  const { keys, findings } = read([without(jwk, 'alg')])
  expect(keys.map((key) => key.alg)).toEqual([alg])
  expect(findings.filter(({ used }) => used)).toHaveLength(notices)
})

const LEFT_OUT: readonly (readonly [string, unknown, RegExp])[] = [
  ['a secret', oct, /secret/],
  ['a secret without its k', without(oct, 'k'), /secret/],
  ['a private key', { ...p256, d: 'AAAA' }, /private/],
  ['a key for encryption', { ...rsa, use: 'enc' }, /use must be "sig"/],
  ['a key that signs only', { ...rsa, key_ops: ['sign'] }, /verify/],
  ['another kind', { kty: 'OKP', crv: 'Ed25519', x: 'AAAA', kid: 'a' }, /kty must be one of/],
  [
    'another curve',
    { kty: 'EC', crv: 'P-521', x: 'AAAA', y: 'AAAA', kid: 'a' },
    /alg must be one of/,
  ],
  ['another algorithm', { ...rsa, alg: 'RSA-OAEP' }, /alg must be one of/],
  ['a key without kid', without(rsa, 'kid'), /kid is missing/],
  ['a point off the curve', { ...p256, y: p384['x'] }, /keys\[1\]\.y/],
  ['no object', 'key', /must be an object/],
]

test.each(LEFT_OUT)('%s is left out and told of, and the rest is used', (_, jwk, why) => {
  const { keys, findings } = read([rsa, jwk, p256])
  expect(keys).toEqual([rsa, p256])
  expect(findings).toMatchObject([{ used: false, pointer: expect.stringMatching(/^\/keys\/1/) }])
  expect(findings[0]?.message).toMatch(why)
})

test('no finding repeats a secret or a private member', () => {
  const { findings } = read([rsa, oct, { ...p256, d: 'cHJpdmF0ZQ' }])
  expect(JSON.stringify(findings)).not.toContain(oct['k'])
  expect(JSON.stringify(findings)).not.toContain('cHJpdmF0ZQ')
})

test('of two keys of one name the first counts; another alg is another key', () => {
  const ps = { ...rsa, alg: 'PS256' }
  const { keys, findings } = read([rsa, { ...rsa }, ps])
  expect(keys).toEqual([rsa, ps])
  expect(findings).toMatchObject([{ used: false, pointer: '/keys/1', kid: 'r' }])
})

test('of a set that is too large the first 16 usable keys are taken, and a hundred looked at', () => {
  const many = Array.from({ length: 300 }, (_, at) => ({ ...p256, kid: `k${at}` }))
  const { keys, findings } = read([oct, ...many])
  expect(keys.map(({ kid }) => kid)).toEqual(many.slice(0, 16).map(({ kid }) => kid))
  expect(findings.at(-1)).toMatchObject({ message: 'and 201 more keys, not looked at' })
})

test.each([
  ['nothing', '', 'not_a_key_set'],
  ['a web page', '<html>', 'not_a_key_set'],
  ['no UTF-8', '\xff', 'not_a_key_set'],
  ['null', 'null', 'not_a_key_set'],
  ['a list', '[]', 'not_a_key_set'],
  ['no keys', '{}', 'not_a_key_set'],
  ['keys that are no list', '{"keys":{}}', 'not_a_key_set'],
  ['an empty set', '{"keys":[]}', 'no_usable_keys'],
  ['a set of nothing to use', `{"keys":[${JSON.stringify(oct)}]}`, 'no_usable_keys'],
])('%s is a fault, whose words repeat nothing secret', (_, text, code) => {
  const body = text === '\xff' ? new Uint8Array([0xff]) : bytes(text)
  expect(() => readKeySet(body)).toThrow(expect.objectContaining({ code }))
  expect(() => readKeySet(body)).toThrow(/^(?!.*html)/)
})

test('fixed keys come first and win, as many remote ones follow as fit', () => {
  const named = (kid: string) => ({ alg: 'ES256', kid })
  expect(mergedKeys([named('a')], [named('a'), named('b')])).toEqual([named('a'), named('b')])
  const many = Array.from({ length: 16 }, (_, at) => named(`${at}`))
  expect(mergedKeys([named('a')], many)).toHaveLength(16)
  expect(mergedKeys(many, [named('a')])).toEqual(many)
})

test("without any key there is nobody's: a point whose private key nobody can have", () => {
  expect(mergedKeys([], [])).toEqual([NOBODYS_KEY])
  expect(checkKeys([NOBODYS_KEY]).keys).toEqual([NOBODYS_KEY])
  const text = 'portcullis: a key that nobody has 0'
  expect(NOBODYS_KEY.x).toBe(createHash('sha256').update(text).digest('base64url'))
})
