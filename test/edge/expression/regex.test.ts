import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileRegex, PatternError } from './compile-regex.js'
import { bytesOf } from '../../../src/edge/expression/index.js'

const finds = (pattern: string, text: string): boolean => compileRegex(pattern)(bytesOf(text))

describe('what is found', () => {
  test.each([
    ['abc', 'xabcx', true],
    ['^abc$', 'xabc', false],
    ['', '', true],
    ['^$', '', true],
    ['^$', 'a', false],
    ['a|b|', 'z', true],
    ['^(a|bc)+$', 'abcbca', true],
    ['^a{3}$', 'aaa', true],
    ['^a{3}$', 'aa', false],
    ['^a{2,}$', 'aaaa', true],
    ['^a{2,3}$', 'aaaa', false],
    ['^a{0}$', '', true],
    ['^(ab?){0,2}$', 'aba', true],
    ['a++', 'aa', true],
    ['^(a*)*$', 'aaa', true],
    ['a*?b', 'aab', true],
    ['(?U)a*b', 'aab', true],
    ['^.$', 'é', false],
    ['^..$', 'é', true],
    ['^é+$', 'ééé', true],
    ['.', '\n', false],
    ['.', '\r', true],
    ['(?s).', '\n', true],
    ['(?s-s).', '\n', false],
    ['(?s:.).', '\nx', true],
    ['(?s:.).', 'x\n', false],
    ['(?i)ABC', 'aBc', true],
    ['(?i)É', 'é', false],
    ['a(?i)b', 'AB', false],
    ['a(?i)b', 'aB', true],
    ['(a(?i)b|c)d', 'Cd', true],
    ['(a(?i)b)c', 'aBC', false],
    ['(?i)[^a]', 'A', false],
    ['(?i)[b-d&&c]', 'C', true],
    ['^b', 'a\nb', false],
    ['(?m)^b', 'a\nb', true],
    ['a$', 'a\n', false],
    ['(?m)a$', 'a\nb', true],
    ['(?m)^$', 'a\n', true],
    ['\\Aa\\z', 'a', true],
    ['(?m)\\Ab', 'a\nb', false],
    ['(?m)a\\z', 'a\nb', false],
    ['\\bfoo\\b', 'a foo b', true],
    ['\\bfoo\\b', 'afoo', false],
    ['foo\\b', 'foo', true],
    ['foo\\b', 'fooé', true],
    ['\\Boo\\B', 'food', true],
    ['\\Bfoo', 'foo', false],
    ['\\B', '', true],
    ['\\b', '', false],
    ['^\\b', 'a', true],
    ['a\\b\\b\\Bb', 'ab', false],
    ['^\\d\\D\\s\\S\\w\\W$', '1a\va_-', true],
    ['\\s', '\u00a0', false],
    ['^\\x41\\x{42}\\u0043\\U00000044\\u{45}$', 'ABCDE', true],
    ['^\\xC3\\xA9$', 'é', true],
    ['^\\x{E9}$', 'é', true],
    ['^\\a\\f\\n\\r\\t\\v$', '\x07\f\n\r\t\v', true],
    ['^\\.\\/\\"\\-\\ \\#\\~$', './"- #~', true],
    ['(?x) a b # the rest\n c', 'abc', true],
    ['(?x)a\\ b[ \\ ]', 'a b ', true],
    ['(?x)a b', 'a b', false],
    ['(?P<n>a)(?<m>b)', 'ab', true],
    ['(?:a|b)c', 'bc', true],
    ['(?-u)\\xff', '\xff', false],
    ['[]a]', ']', true],
    ['[^]a]', ']', false],
    ['[-a]', '-', true],
    ['[a-]', '-', true],
    ['[+--]', ',', false],
    ['[a-c-e]', '-', true],
    ['^[[:alpha:]_]+$', 'aZ_', true],
    ['[[:^alpha:]]', 'a', false],
    ['^[[:word:]]+$', 'a_1', true],
    ['[[:punct:]]', '~', true],
    ['[[:foo:]]', 'f', true],
    ['[a-z&&[^aeiou]]', 'e', false],
    ['[a-z&&[^aeiou]]', 'x', true],
    ['[a-z--m]', 'm', false],
    ['[a-f~~d-z]', 'e', false],
    ['[a-f~~d-z]', 'g', true],
    ['[a[bc]]', 'c', true],
    ['[^a[^b]]', 'b', true],
    ['[a&&b]', 'a', false],
    ['[\\w--\\d]', '5', false],
    ['[\\]\\\\]', '\\', true],
    ['[a&b~]', '~', true],
    ['[\\x00-\\x1f]', '\x07', true],
    ['}]', '}]', true],
    ['^(){1000}$', '', true],
    ['^((((){99}){99}){99}){99}$', '', true],
  ])('%s in %j is %s', (pattern, text, expected) => {
    expect(finds(pattern, text)).toBe(expected)
  })

  test('a byte is a byte, whatever it is part of', () => {
    expect(compileRegex('\\xff')('\xff')).toBe(true)
    expect(compileRegex('[^\\x00-\\x7f]')('\x80')).toBe(true)
    expect(compileRegex('^\\W$')('\xe9')).toBe(true)
  })
})

describe('what is refused names the construct', () => {
  test.each([
    ['(?=a)', 'look-around'],
    ['(?!a)', 'look-around'],
    ['(?<=a)', 'look-around'],
    ['(?<!a)', 'look-around'],
    ['(a)\\1', '\\1'],
    ['\\Z', '\\Z'],
    ['\\pL', '\\p'],
    ['[\\PL]', '\\P'],
    ['(?u)a', '(?u)'],
    ['[é]', 'é'],
    ['[\\x{e9}]', 'é'],
    ['(?>a)', '(?>'],
    ['(?#a)', '(?#'],
    ['(?R)a', 'R'],
    ['(?)', '(?)'],
    ['(?i-)', '(?i-'],
    ['(?P=n)', '(?P'],
    ['(?<n>a)(?<n>b)', 'named n'],
    ['*a', '*'],
    ['a|+', '+'],
    ['(?i)*', '*'],
    ['(', 'group'],
    [')', ')'],
    ['[a', 'class'],
    ['[', 'class'],
    ['[a-', 'class'],
    ['a{', '{'],
    ['a{x}', '{'],
    ['a{,3}', '{'],
    ['{2}', '{'],
    ['a{3,2}', 'repetition'],
    ['[z-a]', 'range'],
    ['[a-\\d]', 'range'],
    ['[\\b]', '\\b'],
    ['\\q', '\\q'],
    ['\\', '\\'],
    ['\\x{110000}', '\\x{110000}'],
    ['\\x{d800}', '\\x{d800}'],
    ['\\b{start}', 'repetition'],
    ['\\<', '\\<'],
    ['(?-)', '(?-)'],
    ['a{100000}', 'too large'],
    ['((a{200}){200}){200}', 'too large'],
    [`${'('.repeat(300)}a${')'.repeat(300)}`, 'deep'],
    [`${'['.repeat(300)}a${']'.repeat(300)}`, 'deep'],
    [`a${'+'.repeat(300)}`, 'deep'],
  ])('%s', (pattern, construct) => {
    let error: unknown
    try {
      compileRegex(pattern)
    } catch (caught) {
      error = caught
    }
    expect(error).toBeInstanceOf(PatternError)
    expect((error as PatternError).message).toContain(construct)
  })
})

describe('against the regular expressions of JavaScript', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '^', '$', '\\b', '\\B', '\\n', 'c')
  const { pattern } = fc.letrec<{ pattern: string; choice: string; piece: string }>((tie) => ({
    pattern: fc
      .array(fc.array(tie('piece'), { maxLength: 4 }), { minLength: 1, maxLength: 2 })
      .map((choices) => choices.map((pieces) => pieces.join('')).join('|')),
    choice: tie('pattern').map((inner) => `(?:${inner})`),
    piece: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      atom,
      fc
        .tuple(
          fc.oneof(fc.constantFrom('a', 'b', '[ab]'), tie('choice')),
          fc.constantFrom('', '*', '+', '?', '{2}', '{1,}', '{0,2}', '*?', '+?'),
        )
        .map(([body, count]) => body + count),
    ),
  }))
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n', ' '), maxLength: 8 })

  test('both find the same', () => {
    fc.assert(
      fc.property(pattern, text, fc.boolean(), (source, subject, multiline) => {
        const ours = compileRegex(multiline ? `(?m)${source}` : source)(subject)
        expect(ours).toBe(new RegExp(source, multiline ? 'm' : '').test(subject))
      }),
      { numRuns: 3000 },
    )
  })

  test('a forgotten cache changes nothing', () => {
    const search = compileRegex('(a|b)*a(a|b){13}c')
    const theirs = /a[ab]{13}c/
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 2000, minLength: 500 }),
        (subject) => {
          expect(search(subject)).toBe(theirs.test(subject))
        },
      ),
      { numRuns: 200 },
    )
  })

  test('any text is a regular expression or an error with a place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (source) => {
        try {
          compileRegex(source)('a\nb')
        } catch (error) {
          expect(error).toBeInstanceOf(PatternError)
        }
      }),
      { numRuns: 2000 },
    )
    const mark = fc.constantFrom(
      ...'()[]{}*+?|^$\\.-&~:=!<>Pimsxu1,a]b',
      '(?',
      '[[:alpha:]]',
      '{2}',
    )
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 14 }), (marks) => {
        try {
          compileRegex(marks.join(''))('a\nb')
        } catch (error) {
          expect(error).toBeInstanceOf(PatternError)
        }
      }),
      { numRuns: 5000 },
    )
  })
})
