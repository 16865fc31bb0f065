import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseObject } from '../../../src/edge/token/json-object.js'
import { skimTimes } from '../../../src/edge/skim/index.js'

const skim = (text: string) => skimTimes(Buffer.from(text), isUtf8)

/** Skimming may give up, but what it gives is what parsing gives. */
function expectTruth(text: string): void {
  const skimmed = skim(text)
  if (skimmed === undefined) return
  const parsed = parseObject(text)
  expect(parsed, text).toBeDefined()
  expect(skimmed, text).toEqual({ exp: parsed!['exp'], nbf: parsed!['nbf'] })
}

test.each([
  ['{"exp":1700000000}', 1_700_000_000, undefined],
  ['{"nbf":0,"a":{"exp":"x"},"exp":12}', 12, 0],
  ['{"sub":"a\\"b\\\\","aud":["a","b",[],{}],"x":{"y":[true,false,null,{"z":10}]}}'],
  ['{"iss":"https:\\/\\/issuer.example","name":"Zoë 😀","":0,"exp":999999999999999}', 1e15 - 1],
  ['{"a":{"b":1},"c":{"b":2},"b":3}'],
  ['{"__proto__":{"exp":1},"constructor":{"exp":2}}'],
])('%s is read without parsing', (text, exp?: number, nbf?: number) => {
  expect(skim(text)).toEqual({ exp, nbf })
  expectTruth(text)
})

test.each([
  '',
  '{',
  '{}',
  '[]',
  '"exp"',
  '{"exp":1',
  '{"exp":1}}',
  '{"exp":1} ',
  '{"exp":1,}',
  '{"exp":01}',
  '{"exp":1.5}',
  '{"exp":1e3}',
  '{"exp":-1}',
  '{"exp":1e400}',
  '{"exp":"1"}',
  '{"exp":null}',
  '{"nbf":[1]}',
  '{"exp":1234567890123456}',
  '{"exp":1,"exp":2}',
  '{"a":1,"a":2}',
  '{"a":[{"b":1,"b":2}]}',
  '{"e\\u0078p":1}',
  '{"a":"\\x"}',
  '{"a":"\\u0041"}',
  '{"a":"\n"}',
  '{"a":"b}',
  '{"a":tru}',
  '{"a":truex}',
  '{"a":[1,]}',
  '{"a":[1}',
  '{"a":{]}',
  '{"a" :1}',
  '{"a":}',
  '{a:1}',
  '{"a":1 ,"b":2}',
  '\ufeff{"exp":1}',
  `{${'"a":{'.repeat(40)}${'}'.repeat(41)}`,
  `{"${'n'.repeat(256)}":1}`,
  // As long as a name of 3 in 8 bits, with the same characters first, last and in the middle.
  `{"e${'x'.repeat(257)}p":1}`,
  `{${Array.from({ length: 65 }, (_, at) => `"n${at}":1`).join()}}`,
])('%j is left to the parser', (text) => {
  expect(skim(text)).toBeUndefined()
})

const json = fc.dictionary(
  fc.oneof(fc.constantFrom('exp', 'nbf', 'iat', 'iss', 'sub'), fc.string({ unit: 'binary' })),
  fc.oneof(fc.nat(), fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' })),
)

test('of any object it tells what parsing tells', () => {
  fc.assert(
    fc.property(json, (value) => expectTruth(JSON.stringify(value))),
    { numRuns: 2000 },
  )
})

test('of any object with a few characters changed it tells what parsing tells', () => {
  const change = fc.tuple(
    fc.nat(),
    fc.nat(2),
    fc.constantFrom(...'{}[]:,"\\ 0123456789-.enulltrufas'),
  )
  fc.assert(
    fc.property(json, fc.array(change, { maxLength: 3 }), (value, changes) => {
      let text = JSON.stringify(value)
      for (const [place, gone, character] of changes) {
        const at = place % text.length
        text = text.slice(0, at) + character + text.slice(at + gone)
      }
      expectTruth(text)
    }),
    { numRuns: 10_000 },
  )
})
