import { describe, expect, test } from 'vitest'
import { compile, requestScheme, trace } from '../../../src/edge/expression/index.js'
import { scheme, token, values } from './world.js'

describe('uses', () => {
  const nothing = {
    fields: [],
    functions: [],
    configurations: [],
    lists: [],
    everyConfiguration: false,
  }

  test.each([
    ['true', {}],
    ['ssl and not ssl', { fields: ['ssl'] }],
    [
      'lower(http.host) == "a" or lower(http.host) == "b"',
      { fields: ['http.host'], functions: ['lower'] },
    ],
    [
      'is_jwt_valid("a") or is_jwt_present("b") or is_jwt_valid("a")',
      { functions: ['is_jwt_valid', 'is_jwt_present'], configurations: ['a', 'b'] },
    ],
    [
      'http.request.jwt.claims["a"][0] contains "x"',
      { fields: ['http.request.jwt.claims'], configurations: ['a'] },
    ],
    [
      'any(http.request.jwt.claims.aud["a"][*] == "x")',
      { fields: ['http.request.jwt.claims.aud'], configurations: ['a'] },
    ],
    [
      'any(http.request.jwt.claims.aud[*][*] == "x")',
      { fields: ['http.request.jwt.claims.aud'], everyConfiguration: true },
    ],
    [
      'has_key(http.request.jwt.claims.sub, "a")',
      {
        fields: ['http.request.jwt.claims.sub'],
        functions: ['has_key'],
        everyConfiguration: true,
      },
    ],
    [
      'http.request.jwt.claims.iat.sec.values[0] > 5',
      { fields: ['http.request.jwt.claims.iat.sec.values'], everyConfiguration: true },
    ],
    [
      'any(http.request.jwt.claims.iss.names[*] == "a")',
      { fields: ['http.request.jwt.claims.iss.names'], everyConfiguration: true },
    ],
  ])('%s', (source, expected) => {
    expect(compile(source).uses).toEqual({ ...nothing, ...expected })
  })

  test('lists are named', () => {
    expect(compile('n in $even or s in $names', scheme).uses.lists).toEqual(['even', 'names'])
  })
})

describe('warnings', () => {
  test.each([
    ['n == 010', 'octal_literal', '010'],
    ['n in {1 010..020}', 'octal_literal', '010..020'],
    ['s in {}', 'empty_set', '{}'],
    ['s in {"a" "b" "a"}', 'duplicate_item', '"a"'],
    ['n in {16 1 0x10}', 'duplicate_item', '0x10'],
    ['http.request.headers["Accept"][0] == "x"', 'upper_case_header', '["Accept"]'],
    ['all(m["k"][*] == "x")', 'all_over_optional', 'm["k"][*]'],
    ['all(not lower(m["k"][*])[*] == "x")', 'all_over_optional', 'm["k"][*]'],
  ])('%s warns of %s', (source, code, text) => {
    const { warnings } = compile(source, scheme)
    expect(warnings.map((warning) => warning.code)).toContain(code)
    const { start, end, line, column } = warnings.at(-1) ?? { start: 0, end: 0 }
    expect(source.slice(start, end)).toBe(text)
    expect({ line, column }).toEqual({ line: 1, column: start + 1 })
  })

  test.each([
    'n == 0 and n in {0 10} and n == 0x10',
    's in {"a" "A"}',
    'http.request.headers["accept"][0] == "x"',
    'all(a[*] == "x") and any(m["k"][*] == "x") and m["K"][0] == "x"',
  ])('%s is quiet', (source) => {
    expect(compile(source, scheme).warnings).toEqual([])
  })
})

describe('the scheme of requests', () => {
  test.each([
    'http.host == "a" and http.request.method in {"GET" "HEAD"} and ssl',
    'ip.src in {10.0.0.0/8}',
    'any(http.request.uri.args["q"][*] contains "x") and raw.http.request.uri.path == "/"',
    'http.request.jwt.claims.nbf.sec["a"][0] < 5 or true',
    'http.request.timestamp.sec > 0 and http.request.timestamp.msec < 1000',
    'lookup_json_integer(http.request.jwt.claims["a"][0], "level") > 2',
  ])('%s', (source) => {
    expect(() => compile(source)).not.toThrow()
  })

  test('it has no fields of responses', () => {
    expect(Object.keys(requestScheme.fields).filter((name) => /response/.test(name))).toEqual([])
  })
})

describe('evaluate', () => {
  test('without a token function no token is there', () => {
    expect(compile('is_jwt_present("a") or is_jwt_valid("a")').evaluate({})).toBe(false)
  })

  test('values are own properties only', () => {
    const own = Object.create({ s: 'inherited' }) as Record<string, unknown>
    expect(compile('s == "inherited"', scheme).evaluate(own)).toBe(false)
  })

  test('a key named __proto__ is a key like any other', () => {
    const forged = JSON.parse('{"m":{"__proto__":["x"]}}') as Record<string, unknown>
    const predicate = compile('m["__proto__"][0] == "x" and has_key(m, "__proto__")', scheme)
    expect(predicate.evaluate(forged)).toBe(true)
    expect(predicate.evaluate({ m: {} })).toBe(false)
    expect(compile('has_key(m, "constructor")', scheme).evaluate({ m: {} })).toBe(false)
  })

  test('keys are bytes, as values are', () => {
    expect(compile('mb["é"] == "ü"', scheme).evaluate({ mb: { é: 'ü' } })).toBe(true)
    expect(compile('mb["\\xc3\\xa9"] == "ü"', scheme).evaluate({ mb: { é: 'ü' } })).toBe(true)
  })
})

/** The steps as rows of kind, text, depth, value and whether they were skipped. */
const traced = (source: string, own: Record<string, unknown> = {}): object[] => {
  const fields = { ...values, ...own } as Record<string, string>
  const steps = trace(compile(source, scheme), {
    field: (name) => fields[name],
    token,
  })
  return steps.map(({ kind, text, depth, value, skipped }) => [kind, text, depth, value, skipped])
}

describe('trace', () => {
  test('every part is told, parents first', () => {
    expect(traced('f and s == "x" or not (s contains "ell")')).toEqual([
      ['or', 'f and s == "x" or not (s contains "ell")', 0, false, false],
      ['and', 'f and s == "x"', 1, false, false],
      ['field', 'f', 2, false, false],
      ['comparison', 's == "x"', 2, undefined, true],
      ['field', 's', 3, undefined, true],
      ['not', 'not (s contains "ell")', 1, false, false],
      ['comparison', 's contains "ell"', 2, true, false],
      ['field', 's', 3, 'Hello', false],
    ])
  })

  test('tokens, calls and what is missing', () => {
    expect(traced('is_jwt_valid("bad") or lower(mb["no"]) == "x"', { mb: new Map() })).toEqual([
      ['or', 'is_jwt_valid("bad") or lower(mb["no"]) == "x"', 0, false, false],
      ['token', 'is_jwt_valid("bad")', 1, false, false],
      ['comparison', 'lower(mb["no"]) == "x"', 1, false, false],
      ['call', 'lower(mb["no"])', 2, undefined, false],
      ['field', 'mb["no"]', 3, undefined, false],
    ])
  })

  test('values are plain', () => {
    const facts = new Map<string, never>([
      ['ip', { version: 6, value: 1n } as never],
      ['n', (2n ** 60n) as never],
      ['m', new Map([['k', ['\xc3\xa9']]]) as never],
    ])
    const source = 'ip == ::1 and n > 1 and has_key(m, "k") and any(m["k"][*] == "é")'
    const steps = trace(compile(source, scheme), { field: (name) => facts.get(name), token })
    const plain = new Map(steps.map(({ text, value }) => [text, value]))
    expect(plain.get('ip')).toBe('::1')
    expect(plain.get('n')).toBe('1152921504606846976')
    expect(plain.get('m')).toEqual({ k: ['é'] })
    expect(plain.get('m["k"][*]')).toEqual(['é'])
    expect(plain.get('m["k"][*] == "é"')).toEqual([true])
    expect(plain.get(source)).toBe(true)
  })
})
