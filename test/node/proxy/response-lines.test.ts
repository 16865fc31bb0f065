import fc from 'fast-check'
import { expect, test } from 'vitest'
import { responseLines, UnusableResponse } from '../../../src/node/proxy/response-lines.js'

test.each<[string, string[], string[]]>([
  ['everything else', ['A', '1', 'b', '2', 'A', '3'], ['A', '1', 'b', '2', 'A', '3']],
  ['nothing of the connection', ['Connection', 'close', 'Keep-Alive', 'x', 'Upgrade', 'h2'], []],
  ['nothing between proxies', ['Proxy-Authenticate', 'Basic', 'Proxy-Status', 'x'], []],
  ['no chunked coding', ['Transfer-Encoding', 'Chunked', 'Trailer', 'x-sum'], []],
  ['nothing that Connection lists', ['X-One', '1', 'Connection', 'x-one'], []],
  [
    'the length all the same',
    ['Connection', 'content-length', 'Content-Length', '1'],
    ['Content-Length', '1'],
  ],
])('%s is passed on', (_what, raw, expected) => {
  expect(responseLines(raw)).toEqual(expected)
  expect(responseLines(raw.map((text) => Buffer.from(text, 'latin1')))).toEqual(expected)
})

test('bytes stay bytes', () => {
  expect(responseLines([Buffer.from('X'), Buffer.from([0xff, 0xe9])])).toEqual(['X', '\xff\xe9'])
})

/** Few texts, many of one length, so that heads often have the same or nearly the same at a place. */
const texts = fc.constantFrom('a', 'A', 'b', 'ab', 'aB', '\xe9', '\xe8', 'x'.repeat(300), '')
const heads = fc.array(fc.array(texts, { maxLength: 140 }).map((all) => all.slice(all.length % 2)))

test('a head is passed on alike whatever heads came before it', () => {
  const property = fc.property(heads, (all) => {
    for (const head of all)
      expect(responseLines(head.map((text) => Buffer.from(text, 'latin1')))).toEqual(head)
  })
  fc.assert(property, { seed: 5 })
})

test('a coding that would be lost is refused', () => {
  expect(() => responseLines(['Transfer-Encoding', 'gzip, chunked'])).toThrow(UnusableResponse)
})
