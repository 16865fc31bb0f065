import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase64Url, encodeBase64Url } from '../../../src/edge/token/base64url.js'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

test('bytes come back as they went in, in the spelling of Node', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const text = encodeBase64Url(bytes)
      expect(text).toBe(Buffer.from(bytes).toString('base64url'))
      expect(decodeBase64Url(text)).toEqual(new Uint8Array(bytes))
    }),
  )
})

test('a text is decoded exactly when it is the spelling of its bytes', () => {
  const character = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...ALPHABET) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
  )
  fc.assert(
    fc.property(fc.array(character, { maxLength: 40 }), (characters) => {
      const text = characters.join('')
      const isCanonical = Buffer.from(text, 'base64url').toString('base64url') === text
      expect(decodeBase64Url(text) !== undefined).toBe(isCanonical)
    }),
  )
})

test('of all endings of two and three characters, only those with unused bits zero are decoded', () => {
  for (const last of ALPHABET) {
    const value = ALPHABET.indexOf(last)
    expect(decodeBase64Url(`A${last}`) !== undefined).toBe(value % 16 === 0)
    expect(decodeBase64Url(`AA${last}`) !== undefined).toBe(value % 4 === 0)
    expect(decodeBase64Url(`AAA${last}`)).toHaveLength(3)
  }
})

test.each([
  'A',
  'AAAAA',
  'AA==',
  'AAA=',
  'AA A',
  'AAAA\n',
  'AA+A',
  'AA/A',
  'AA.A',
  '\u0141AAA',
  '\u{1f600}AA',
])('%j is refused', (text) => {
  expect(decodeBase64Url(text)).toBeUndefined()
})

test('an empty text is no bytes', () => {
  expect(decodeBase64Url('')).toEqual(new Uint8Array(0))
})
