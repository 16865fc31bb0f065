import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesOf, formatIp, parseIp, textOf } from '../../../src/edge/expression/index.js'
import { hmacSha256, sha256 } from '../../../src/edge/expression/functions/sha256.js'
import { answer } from './world.js'

const binary = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))

describe('SHA-256', () => {
  test('digests are those of the platform, at every length around a block', () => {
    for (let length = 0; length < 200; length++) {
      const message = 'x\xff'.repeat(100).slice(0, length)
      const digest = createHash('sha256').update(message, 'latin1').digest().toString('latin1')
      expect(sha256(message)).toBe(digest)
    }
  })

  test('so are keyed ones', () => {
    fc.assert(
      fc.property(binary, binary, (key, message) => {
        const digest = createHmac('sha256', key).update(message).digest().toString('latin1')
        expect(hmacSha256(key.toString('latin1'), message.toString('latin1'))).toBe(digest)
      }),
    )
  })
})

const time = 1_700_000_000
const mac = (message: string, at: number): Buffer =>
  createHmac('sha256', 'key').update(`${message}${at}`).digest()
const signed = (message: string, separator = '', at = time): string =>
  `${message}${separator}${at}-${mac(message, at).toString('base64')}`
const ask = (s: string, n: number, more = ''): boolean =>
  answer(`is_timed_hmac_valid_v0("key", s, 60, n${more})`, { s, n })

describe('is_timed_hmac_valid_v0', () => {
  test.each([
    [0, true],
    [60, true],
    [61, false],
  ])('%i seconds later it is %s', (later, expected) => {
    expect(ask(signed('/path'), time + later)).toBe(expected)
    expect(ask(encodeURI(signed('/path')).replaceAll('+', '%2B'), time + later)).toBe(expected)
  })

  test('a separator is no part of the message', () => {
    expect(ask(signed('/path', '?v='), time, ', 3')).toBe(true)
    expect(ask(signed('/path', '?v='), time)).toBe(false)
  })

  test('the alphabet of URLs is asked for by a flag', () => {
    for (let index = 0; index < 50; index++) {
      const message = `/path-${index}`
      const safe = `${message}${time}-${mac(message, time).toString('base64url')}`
      expect(ask(safe, time, ', 0, "s"')).toBe(true)
    }
  })

  test.each([
    ['another message', signed('/path').replace('/', '\\')],
    ['another time', signed('/path').replace('17', '18')],
    ['another MAC', signed('/path').replace(/.....=$/, 'AAAAA=')],
    ['a short MAC', signed('/path').slice(0, -2)],
    ['no message', signed('')],
    ['nothing', ''],
    ['dashes', '-'.repeat(1000)],
    ['no base64', `/path${time}-${'*'.repeat(44)}`],
  ])('%s is not valid', (_, text) => {
    expect(ask(text, time)).toBe(false)
  })
})

test('addresses are written as they are read', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const ip = parseIp(text)
      if (!ip) throw new TypeError(text)
      expect(parseIp(formatIp(ip))).toEqual(ip)
      const url = new URL(`http://${ip.version === 4 ? text : `[${text}]`}`)
      expect(formatIp(ip)).toBe(url.hostname.replace(/^\[|\]$/g, ''))
    }),
    { numRuns: 1000 },
  )
})

test.each([
  '',
  '1.2.3',
  '1.2.3.4.5',
  '256.1.1.1',
  '01.2.3.4',
  '1.2.3.4 ',
  ':',
  ':::',
  '1:2',
  '::1::',
])('%j is no address', (text) => {
  expect(parseIp(text)).toBeUndefined()
})

test.each([
  ['::1.2.3.4', '::102:304'],
  ['::a:0B:00c:000d:1.2.3.4', '::a:b:c:d:102:304'],
  ['1:2::3:4:0.0.0.255', '1:2::3:4:0:ff'],
  ['1:2:3:4:5::255.255.255.255', '1:2:3:4:5:0:ffff:ffff'],
  ['1:2:3:4:5:6:0.0.0.0', '1:2:3:4:5:6::'],
])('%s, the end of it in dots, is %s', (text, plain) => {
  expect(parseIp(text)).toEqual(parseIp(plain))
  expect(formatIp(parseIp(text)!)).toBe(plain)
})

test.each([
  '::1.2.3',
  '::01.2.3.4',
  '::256.1.1.1',
  '::1.2.3.4:5',
  '1.2.3.4::',
  '::1.2.3.4.5',
  ':1.2.3.4',
  '1:2:3:4:5:6:7:1.2.3.4',
  '1:2:3:4:5:6::1.2.3.4',
  '::g1.2.3.4',
  '00000::1.2.3.4',
])('%j is no address, dots or not', (text) => {
  expect(parseIp(text)).toBeUndefined()
})

test('texts become their bytes and come back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(bytesOf(text)).toBe(Buffer.from(text).toString('latin1'))
      expect(textOf(bytesOf(text))).toBe(text)
    }),
  )
  expect(bytesOf('é'.repeat(100_000))).toHaveLength(200_000)
})

test('a recursive decoding is linear in hostile text', () => {
  const start = performance.now()
  expect(answer('url_decode(s, "r") == "%"', { s: `%${'25'.repeat(50_000)}` })).toBe(true)
  expect(performance.now() - start).toBeLessThan(1000)
})

describe('lookup_json_integer', () => {
  const integer = (json: string, key: string, is: string): boolean =>
    answer(`lookup_json_integer(s, ${JSON.stringify(key)}) == ${is}`, { s: json })

  test.each(['"#42"', String.raw`"\u002342"`, '"42"', '[42]'])('%s is no integer', (value) => {
    expect(integer(`{"a":${value}}`, 'a', '42')).toBe(false)
  })

  test('a key may begin with any character, and is no other one', () => {
    const json = '{"#a":1," #a":2,"1":3}'
    expect(integer(json, '#a', '1')).toBe(true)
    expect(integer(json, ' #a', '2')).toBe(true)
    expect(integer(json, '1', '3')).toBe(true)
  })

  test('digits count as they are written, beyond what a double holds', () => {
    expect(integer('{"a":9007199254740993}', 'a', '9007199254740993')).toBe(true)
    expect(integer('{"a":42.0}', 'a', '42')).toBe(false)
    expect(integer('{"a":1e2}', 'a', '100')).toBe(false)
  })
})
