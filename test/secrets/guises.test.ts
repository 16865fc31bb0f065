import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { findIn, hunted } from './guises.js'

const bytes = randomBytes(32)
const text = bytes.toString('base64url')
const secret = hunted('the key', text, bytes)
const within = (content: string | Buffer) =>
  Buffer.concat([randomBytes(999), Buffer.from(content), randomBytes(99)])

test.each<[string, string | Buffer]>([
  ['the text', text],
  ['12 characters of it', text.slice(17, 29)],
  ['the text backwards', [...text].toReversed().join('')],
  ['the bytes', bytes],
  ['12 bytes', bytes.subarray(20)],
  ['base64 with padding', bytes.toString('base64')],
  ['base64 of the text', Buffer.from(text).toString('base64')],
  ['base64 of a pair of credentials', Buffer.from(`user:${text}`).toString('base64')],
  ['hexadecimal', bytes.toString('hex').toUpperCase()],
  [
    'a URL',
    [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join(''),
  ],
  ['a list', JSON.stringify([...bytes])],
])('the search finds %s', (_, planted) => {
  expect(findIn(new Map([['here', within(planted)]]), [secret])).not.toEqual([])
})

test('the search finds nothing where there is nothing', () => {
  const places = new Map<string, string | Buffer>([
    ['noise', randomBytes(4_000_000)],
    ['numbers', JSON.stringify([...randomBytes(9999)])],
    ['11 characters', text.slice(3, 14)],
  ])
  expect(findIn(places, [secret])).toEqual([])
})
