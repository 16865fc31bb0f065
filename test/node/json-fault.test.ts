import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonFault } from '../../src/node/json-fault.js'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('a fault in JSON', () => {
  test.each([
    ['', 0, /a value$/],
    ['{"a":1,}', 7, /name in quotes$/],
    ['{,}', 1, /name in quotes or }/],
    ['[,]', 1, /value or \]/],
    ['[1,]', 3, /a value$/],
    ['{"a" 1}', 5, /colon/],
    ['{"a":}', 5, /a value$/],
    ['{"a":1 "b":2}', 7, /comma or the end/],
    ['[1}', 2, /comma or the end/],
    ['{"a":"x\ny"}', 7, /string as JSON writes it/],
    ['{"a":"\\x"}', 6, /string as JSON writes it/],
    ['"abc', 4, /string as JSON writes it/],
    ['01', 1, /nothing after/],
    ['{} {}', 3, /nothing after/],
    ['{"a": undefined}', 6, /a value$/],
    ['[1.]', 2, /comma/],
  ])('%j is at %i', (text, offset, expected) => {
    expect(jsonFault(text)).toEqual({ offset, expected: expect.stringMatching(expected) })
  })

  test('is found exactly where the engine finds one, and never repeats the text', () => {
    const soup = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"',
        '1',
        '-',
        '0',
        '.5',
        'e1',
        'true',
        ' ',
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(soup, (parts) => {
        const text = parts.join('')
        expect(jsonFault(text) === undefined).toBe(isJson(text))
      }),
      { seed: 20_260_131, numRuns: 2000 },
    )
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, at) => {
        expect(jsonFault(text)).toBeUndefined()
        const cut = text.slice(0, at % (text.length + 1))
        expect(jsonFault(cut) === undefined).toBe(isJson(cut))
      }),
      { seed: 20_260_131 },
    )
  })

  test('deep nesting and long strings are no trouble', () => {
    expect(jsonFault('['.repeat(1e6))).toMatchObject({ offset: 1e6 })
    expect(jsonFault(JSON.stringify('x\\"'.repeat(1e6)))).toBeUndefined()
  })
})
