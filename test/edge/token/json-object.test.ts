import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freezeThroughout, MAX_DEPTH, parseObject } from '../../../src/edge/token/json-object.js'

test('every JSON object of moderate depth is parsed to what JSON.parse gives, and can be frozen', () => {
  const json = fc.dictionary(
    fc.string({ unit: 'binary' }),
    fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }),
  )
  fc.assert(
    fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space)
      const parsed = parseObject(text)
      expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text)))
      expectFrozen(freezeThroughout(parsed))
    }),
  )
})

test('a member written twice is refused wherever it stands and however it is written', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.jsonValue({ maxDepth: 2 }),
      fc.boolean(),
      fc.constantFrom('#', '[#]', '{"a":#}', '{"a":[1,{"b":#}]}'),
      (name, value, isEscaped, around) => {
        const one = `${JSON.stringify(name)}:${JSON.stringify(value)}`
        const two = `"${isEscaped ? escaped(name) : JSON.stringify(name).slice(1, -1)}":0`
        const wrap = (object: string) => `{"x":${around.replace('#', () => object)}}`
        expect(parseObject(wrap(`{${one}}`))).toBeDefined()
        expect(parseObject(wrap(`{${one},${two}}`))).toBeUndefined()
      },
    ),
  )
})

test('any text gives an object or nothing, never an exception', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '\\',
    'a',
    '1',
    ' ',
    'null',
    '\u00e9',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      const parsed = parseObject(text)
      if (parsed !== undefined) expect(parsed).toEqual(JSON.parse(text))
    }),
  )
})

test('nesting is bounded', () => {
  expect(parseObject(nested(MAX_DEPTH))).toBeDefined()
  expect(parseObject(nested(MAX_DEPTH + 1))).toBeUndefined()
  expect(parseObject(nested(100_000))).toBeUndefined()
  // Siblings are no nesting, and brackets in strings are none either.
  expect(parseObject(`{"a":[${'[],'.repeat(1000)}[]],"b":"${'['.repeat(1000)}"}`)).toBeDefined()
})

test.each([
  '',
  ' ',
  'null',
  'true',
  '1',
  '"a"',
  '[]',
  '[{}]',
  '{',
  '{}}',
  '{}{}',
  '{"a":1,}',
  "{'a':1}",
  '{a:1}',
  '{"a":01}',
  '{"a":"\n"}',
  '\ufeff{}',
  '{"a":NaN}',
])('%j is no JSON object', (text) => {
  expect(parseObject(text)).toBeUndefined()
})

function expectFrozen(value: unknown): void {
  expect(Object.isFrozen(value)).toBe(true)
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(expectFrozen)
}

/** A member's name in escapes throughout. */
function escaped(name: string): string {
  const code = (at: number) => name.charCodeAt(at).toString(16).padStart(4, '0')
  return Array.from({ length: name.length }, (_, at) => `\\u${code(at)}`).join('')
}

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
}
