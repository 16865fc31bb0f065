import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { importKeySet, openToken as openPortably, webCrypto } from '../../src/edge/token/index.js'
import { parseObject } from '../../src/edge/token/json-object.js'
import { nodeCrypto } from '../../src/node/crypto.js'
import { openToken } from '../../src/node/open-token.js'
import { skimHeader } from '../../src/node/skim-header.js'
import { keyFor } from '../edge/token/keys.js'

const segmentOf = (text: string) => Buffer.from(text).toString('base64url')
const skim = (text: string) => skimHeader(segmentOf(text))

/** A header of so many names. */
function withNames(count: number): string {
  const others = Array.from({ length: count - 2 }, (_, at) => `"n${at}":""`)
  return `{${others.join()},"alg":"a","kid":"k"}`
}

/** Skimming may give up, but what it gives is what parsing gives. */
function expectTruth(text: string): void {
  const skimmed = skim(text)
  if (skimmed === undefined) return
  const parsed = parseObject(text)
  expect(parsed, text).toBeDefined()
  expect(parsed!['crit']).toBeUndefined()
  expect(skimmed, text).toEqual({ alg: parsed!['alg'], kid: parsed!['kid'] })
}

test.each([
  ['{"alg":"ES256","kid":"k"}', 'ES256', 'k'],
  ['{"kid":"","typ":"JWT","alg":"none"}', 'none', ''],
  ['{"alg":"}{","kid":"a}b,\':[","x":"}"}', '}{', "a}b,':["],
  ['{"":"","alg":"a","kid":"k\u007f"}', 'a', 'k\u007f'],
  [withNames(64), 'a', 'k'],
])('%s is read without parsing', (text, alg, kid) => {
  expect(skim(text)).toEqual({ alg, kid })
  expectTruth(text)
})

test.each([
  '',
  '{}',
  '[]',
  '{"alg":"ES256"}',
  '{"kid":"k"}',
  '{"alg":"a","kid":"k"',
  '{"alg":"a","kid":"k"}}',
  '{"alg":"a","kid":"k"} ',
  '{"alg":"a","kid":"k",}',
  '{"alg":"a", "kid":"k"}',
  '{"alg":"a","kid":1}',
  '{"alg":"a","kid":null}',
  '{"alg":"a","kid":["k"]}',
  '{"alg":"a","kid":"k","b64":false}',
  '{"alg":"a","kid":"k","crit":"x"}',
  '{"alg":"a","kid":"k","kid":"k"}',
  '{"alg":"a","kid":"k","x":"1","x":"2"}',
  '{"alg":"a","k\\u0069d":"k"}',
  '{"alg":"a","kid":"\\u006b"}',
  '{"alg":"a","kid":"k\\\\"}',
  '{"alg":"a","kid":"k\n"}',
  '{"alg":"a","kid":"ë"}',
  '{"alg":"a","kid":"k","ë":"x"}',
  '\ufeff{"alg":"a","kid":"k"}',
  `{"alg":"a","kid":"k","${'n'.repeat(256)}":""}`,
  withNames(65),
])('%j is left to the parser', (text) => {
  expect(skim(text)).toBeUndefined()
})

const header = fc.dictionary(
  fc.oneof(fc.constantFrom('alg', 'kid', 'typ', 'crit'), fc.string({ unit: 'binary' })),
  fc.oneof({ weight: 9, arbitrary: fc.string() }, { weight: 1, arbitrary: fc.jsonValue() }),
)

test('of any header, also with a few characters changed, it tells what parsing tells', () => {
  const change = fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom(...'{}[]:,"\\ algkidcrt'))
  fc.assert(
    fc.property(header, fc.array(change, { maxLength: 2 }), (value, changes) => {
      let text = JSON.stringify({ ...value, alg: 'ES256', kid: 'k' })
      for (const [place, gone, character] of changes) {
        const at = place % text.length
        text = text.slice(0, at) + character + text.slice(at + gone)
      }
      expectTruth(text)
    }),
    { numRuns: 10_000 },
  )
})

describe('a segment that is no canonical base64url is left to the portable reader:', () => {
  const good = segmentOf('{"alg":"ES256","kid":"??????"}')
  test.each([
    ['the other alphabet', good.replace('_', '/')],
    ['padding', `${good}=`],
    ['a space', ` ${good}`],
    ['a letter of Latin-1', `é${good.slice(1)}`],
    // Its code ends in the byte of the letter that it replaces.
    ['a letter beyond ASCII', String.fromCharCode(good.charCodeAt(0) + 0x100) + good.slice(1)],
  ])('%s', (_, segment) => {
    expect(skimHeader(segment)).toBeUndefined()
  })
})

describe('headers that follow each other find what they would find alone', () => {
  const key = keyFor('ES256')
  const SEGMENTS = [
    { alg: 'ES256', kid: key.kid },
    { alg: 'ES256', kid: key.kid, typ: 'JWT' },
    { alg: 'ES256', kid: 'a' },
    { alg: 'ES256', kid: 'b' },
    { alg: 'RS256', kid: key.kid },
    { alg: 'none', kid: key.kid },
    { alg: 'ES256' },
    { alg: 'ES256', kid: key.kid, crit: ['b64'] },
    'no object',
  ].map((value) => segmentOf(JSON.stringify(value)))
  const signature = 'A'.repeat(86)

  test.each([
    ['node:crypto', nodeCrypto],
    ['webcrypto', webCrypto],
  ] as const)('with %s', (_, backend) => {
    const crypto = backend()
    const open = crypto.open ?? openPortably
    const find = (keys: ReturnType<typeof importKeySet>, segment: string) => {
      const found = keys.find(open(`${segment}.e30.${signature}`)!.header)
      return 'status' in found ? found.status : found.name
    }
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...SEGMENTS), { maxLength: 12 }), (segments) => {
        const keys = importKeySet([key.jwk], crypto)
        for (const segment of segments)
          expect(find(keys, segment)).toEqual(find(importKeySet([key.jwk], crypto), segment))
      }),
      { numRuns: 300 },
    )
  })

  /** Finds keys by header, and tells which headers had to be read. */
  function reading(...keys: readonly (typeof key)[]) {
    const node = nodeCrypto()
    const read: string[] = []
    const crypto: typeof node = {
      ...node,
      skimHeader(segment) {
        read.push(segment)
        return node.skimHeader!(segment)
      },
    }
    const set = importKeySet(
      keys.map(({ jwk }) => jwk),
      crypto,
    )
    return {
      read,
      find: (segment: string) => set.find(openToken(`${segment}.e30.${signature}`)!.header),
    }
  }

  test('one that names a key is read once, one that names none until it comes twice in turn', () => {
    const { read, find } = reading(key)
    const [good, , a, b] = SEGMENTS as [string, string, string, string]
    for (const segment of [good, a, good, b, a, a, a, b, good, a, good]) find(segment)
    expect(read).toEqual([good, a, b, a, a, b])
  })

  test('of more than 64 all begin anew', () => {
    const { read, find } = reading(key)
    const segments = Array.from({ length: 65 }, (_, at) =>
      segmentOf(JSON.stringify({ alg: key.alg, kid: key.kid, at: String(at) })),
    )
    const first = segments.slice(0, 64)
    for (const segment of [...first, ...first]) find(segment)
    expect(read).toEqual(first)
    for (const segment of [segments[64]!, segments[64]!, segments[0]!]) find(segment)
    expect(read.slice(64)).toEqual([segments[64], segments[0]])
  })

  test('one that no bytes can say is read each time', () => {
    const { read, find } = reading(key)
    for (let times = 0; times < 4; times++)
      expect(find(`\ud800${SEGMENTS[0]}`)).toMatchObject({ status: 'malformed' })
    expect(read.length).toBe(4)
  })

  test('those that differ only where nobody looks at first find keys of their own', () => {
    const algs = ['ES256', 'RS256']
    const { find } = reading(
      ...algs.map((alg) => ({ ...key, jwk: { ...keyFor(alg).jwk, kid: 'k' } })),
    )
    const segments = algs.map((alg) =>
      segmentOf(JSON.stringify({ alg, kid: 'k', x: 'x'.repeat(100) })),
    )
    for (const segment of [...segments, ...segments]) {
      const found = find(segment)
      const { alg } = JSON.parse(Buffer.from(segment, 'base64url').toString())
      expect('name' in found && found.name.alg).toBe(alg)
    }
  })
})
