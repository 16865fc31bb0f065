import { expect, test } from 'vitest'
import { isOrigin } from '../../../src/edge/selector/index.js'

test.each([
  ['http://127.0.0.1:9000', true],
  ['https://shop.example', true],
  ['https://shop.example/', true],
  ['HTTPS://Shop.example:443', true],
  ['http://[::1]:80', true],
  ['', false],
  ['shop.example', false],
  ['//shop.example', false],
  ['ftp://shop.example', false],
  ['http://', false],
  ['http://shop.example/path', false],
  ['http://shop.example?', false],
  ['http://shop.example/?query', false],
  ['http://shop.example#part', false],
  ['http://user:password@shop.example', false],
  ['http://shop.example:99999', false],
])('%j says where requests can be sent: %s', (text, expected) => {
  expect(isOrigin(text)).toBe(expected)
})
