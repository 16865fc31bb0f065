import { describe, expect, test } from 'vitest'
import { compile, requestScheme } from '../../../src/edge/expression/index.js'
import { errorOf, scheme } from './world.js'

describe('errors', () => {
  test.each([
    ['', 'expected'],
    ['  ', 'expected'],
    ['t and', 'unexpected_input'],
    ['t and ', 'expected'],
    ['and t', 'unexpected_input'],
    ['t t', 'unexpected_input'],
    ['t)', 'unexpected_input'],
    ['(t', 'expected'],
    ['t andt', 'unexpected_input'],
    ['nott', 'unknown_field'],
    ['t # comment', 'unexpected_input'],
    ['t ? t : f', 'unexpected_input'],
    ['t; t', 'unexpected_input'],
    ['t, t', 'unexpected_input'],
    ['[t]', 'expected'],
    ['this', 'unknown_field'],
    ['t AND t', 'unexpected_input'],
    ['t | t', 'unexpected_input'],
    ['t ^ t', 'unexpected_input'],
    ['n = 7', 'unexpected_input'],
    ['n === 7', 'expected'],
    ['n <> 7', 'expected'],
    ['n not in {7}', 'unexpected_input'],
    ['5 == n', 'unknown_field'],
    ['"a" == s', 'expected'],
    ['n + 1 == 2', 'unexpected_input'],
    ['t == true', 'unsupported_operator'],
    ['true == t', 'unknown_field'],
    ['s == s', 'bad_bytes'],
    ['n == 7 == 7', 'unexpected_input'],
    ['n & 1 == 1', 'unexpected_input'],
    ["s == 'x'", 'expected'],
    ['s strict "x"', 'unexpected_input'],
    ['a ["x"] == "x"', 'unexpected_input'],
    ['a[r"x"] == "x"', 'bad_index'],
    ['a[-1] == "x"', 'bad_index'],
    ['a[4294967296] == "x"', 'bad_index'],
    ['a["x"] == "x"', 'bad_index'],
    ['mb[0] == "x"', 'bad_index'],
    ['s[0] == "H"', 'bad_index'],
    ['n[*] == 7', 'bad_index'],
    ['a[] == "x"', 'expected'],
    ['a[0 == "x"', 'expected'],
    ['len(s,) == 5', 'expected'],
    ['len(s == 5', 'expected'],
    ['s == "x', 'bad_string'],
    ['s == r"x', 'bad_string'],
    ['s matches "x', 'bad_string'],
    ['s matches "[x"', 'bad_string'],
    ['s == r#x', 'bad_raw_string'],
    [`s == r${'#'.repeat(256)}"x"${'#'.repeat(256)}`, 'bad_raw_string'],
    [String.raw`s == "\n"`, 'bad_escape'],
    [String.raw`s == "\400"`, 'bad_escape'],
    [String.raw`s == "\x4"`, 'bad_escape'],
    [String.raw`s == "\u0041"`, 'bad_escape'],
    ['n == 08', 'bad_integer'],
    ['n == +1', 'expected'],
    ['n == -0x1', 'bad_integer'],
    ['n == -01', 'bad_integer'],
    ['n == 7.0', 'bad_integer'],
    ['n == 9223372036854775808', 'bad_integer'],
    ['n == 1..7', 'bad_integer'],
    ['n == "7"', 'bad_integer'],
    ['n == 1.2.3.4', 'bad_integer'],
    ['s == 7', 'bad_bytes'],
    ['s == 61', 'bad_bytes'],
    ['s == 61:6', 'bad_bytes'],
    ['s == Example.com', 'bad_bytes'],
    ['ip == "1.2.3.4"', 'bad_ip'],
    ['ip == 1.2.3.4/32', 'bad_ip'],
    ['ip == 1.1.1.01', 'bad_ip'],
    ['ip == 1.2.3', 'bad_ip'],
    ['ip == 1::2::3', 'bad_ip'],
    ['ip == 1:2:3:4:5:6:7', 'bad_ip'],
    ['ip in {10.0.0.1/24}', 'bad_range'],
    ['ip in {10.0.0.0/33}', 'bad_ip'],
    ['ip in {10.0.0.0/08}', 'bad_ip'],
    ['ip in {10.0.0.2..10.0.0.1}', 'bad_range'],
    ['ip in {10.0.0.2..::1}', 'bad_range'],
    ['ip in {1.1.1.1/32..1.1.1.1/32}', 'bad_ip'],
    ['n in {7..1}', 'bad_range'],
    ['n in {1 .. 7}', 'bad_integer'],
    ['n in {1,2}', 'expected'],
    ['n in {1', 'expected'],
    ['n in 7', 'expected'],
    ['n in {"x"}', 'bad_integer'],
    ['s in {7}', 'bad_bytes'],
    ['n in $', 'bad_list_name'],
    ['n in $.x', 'bad_list_name'],
    ['n in $x.', 'bad_list_name'],
    ['n in $odd', 'unknown_list'],
    ['n in $__proto__', 'unknown_list'],
    ['s in $even', 'unknown_list'],
    ['s matches x', 'expected'],
    ['s matches 61:62', 'expected'],
    ['s matches "("', 'bad_regex'],
    ['s wildcard "**"', 'bad_wildcard'],
    [String.raw`s wildcard r"\x"`, 'bad_wildcard'],
    [String.raw`s wildcard r"x\"`, 'bad_wildcard'],
    ['s wildcard 61:62', 'expected'],
    ['n contains "7"', 'unsupported_operator'],
    ['n matches "7"', 'unsupported_operator'],
    ['ip & 1', 'unsupported_operator'],
    ['s & 1', 'unsupported_operator'],
    ['a == "x"', 'unsupported_operator'],
    ['m["k"] == "x"', 'unsupported_operator'],
    ['s', 'type_mismatch'],
    ['n', 'type_mismatch'],
    ['bools', 'type_mismatch'],
    ['a[*] == "x"', 'type_mismatch'],
    ['bools[*]', 'bad_map_each'],
    ['any(bools[*])', 'bad_map_each'],
    ['nested', 'type_mismatch'],
    ['any(nested)', 'type_mismatch'],
    ['any(t)', 'type_mismatch'],
    ['any(any(bools))', 'type_mismatch'],
    ['any("x")', 'type_mismatch'],
    ['any(5)', 'argument_type'],
    ['any(bools or bools)', 'expected'],
    ['t or bools', 'type_mismatch'],
    ['any((bools or t))', 'type_mismatch'],
    ['not s', 'type_mismatch'],
    ['len(a[*]) == 3', 'unsupported_operator'],
    ['any(concat("!", a[*])[*] == "x")', 'bad_map_each'],
    ['len() == 0', 'argument_count'],
    ['len(s, s) == 0', 'argument_count'],
    ['concat(s) == "x"', 'argument_count'],
    ['substring(s) == "x"', 'argument_count'],
    ['substring(s, 1, 2, 3) == "x"', 'argument_count'],
    ['len(n) == 0', 'argument_type'],
    ['len(7) == 0', 'argument_type'],
    ['concat(0, 0) == 0', 'argument_type'],
    ['concat(s, a) == "x"', 'argument_type'],
    ['concat(a, ns) == "x"', 'argument_type'],
    ['lower("X") == "x"', 'argument_kind'],
    ['lower(s == "x") == "x"', 'argument_kind'],
    ['lower((s)) == "x"', 'argument_kind'],
    ['len((s)) == 5', 'type_mismatch'],
    ['starts_with(s, s)', 'argument_kind'],
    ['starts_with(s, 7)', 'argument_type'],
    ['has_key(a, "x")', 'argument_type'],
    ['has_key(m, 7)', 'argument_type'],
    ['has_value(m, "x")', 'argument_type'],
    ['has_value(ns, "x")', 'argument_type'],
    ['has_value(ns, 1.2.3.4)', 'argument_type'],
    ['split(s, "", 2)[0] == "x"', 'argument_value'],
    ['split(s, ",", 0)[0] == "x"', 'argument_value'],
    ['split(s, ",", 129)[0] == "x"', 'argument_value'],
    ['split(s, ",", n)[0] == "x"', 'argument_kind'],
    ['url_decode(s, "x") == "x"', 'argument_value'],
    ['cidr(ip, 0, 1) == 1.2.3.4', 'argument_value'],
    ['cidr(ip, 33, 1) == 1.2.3.4', 'argument_value'],
    ['cidr(ip, 1, 129) == 1.2.3.4', 'argument_value'],
    ['cidr6(ip, 0) == 1.2.3.4', 'argument_value'],
    ['cidr(1.2.3.4, 1, 1) == 1.2.3.4', 'argument_kind'],
    ['is_jwt_valid()', 'argument_count'],
    ['is_jwt_valid(s)', 'argument_kind'],
    ['is_jwt_valid(5)', 'argument_type'],
    ['is_timed_hmac_valid_v0("k", s, 1, 2, 0, "x")', 'argument_value'],
    ['is_timed_hmac_valid_v0("k", s, 1, 2, -1)', 'argument_value'],
    ['starts_with(s, "x") == true', 'unsupported_operator'],
    ['remove_bytes(s, "x") == "x"', 'unknown_function'],
    ['constructor(s)', 'unknown_function'],
    ['__proto__("x")', 'unknown_function'],
    ['toString', 'unknown_field'],
    ['__proto__', 'unknown_field'],
    ['constructor == "x"', 'unknown_field'],
    ['S == "x"', 'unknown_field'],
    ['s. == "x"', 'unexpected_input'],
    ['s$ == "x"', 'unexpected_input'],
    ['é', 'expected'],
  ])('%s is %s', (source, code) => {
    const error = errorOf(source)
    expect(error.code).toBe(code)
    expect(error.start).toBeLessThanOrEqual(error.end)
    expect(error.end).toBeLessThanOrEqual(source.length)
  })

  test('a frame shows the line and what is meant', () => {
    const error = errorOf('t and\n\tnope eq "1" or t')
    expect(error).toMatchObject({ code: 'unknown_field', line: 2, column: 2, start: 7, end: 11 })
    expect(error.frame).toBe('unknown field nope\n\tnope eq "1" or t\n\t^^^^')
    expect(String(error)).toBe(error.frame)
  })

  test('a frame of a long line is a window', () => {
    const error = errorOf(`${'t or '.repeat(100)}nope or ${'t or '.repeat(100)}t`)
    const [, line = '', carets = ''] = error.frame.split('\n')
    expect(line.length).toBeLessThanOrEqual(100)
    expect(line.slice(carets.indexOf('^'), carets.length)).toBe('nope')
  })

  test.each([
    ['nothin', 'nothing'],
    ['notihng', 'nothing'],
    ['lowr(s) == "x"', 'lower'],
    ['is_jwt_vaild("a")', 'is_jwt_valid'],
    ['n in $evne', 'even'],
    ['http.request.header["x"][0] == "x"', 'http.request.headers'],
    ['Http.Request.Headers["x"][0] == "x"', 'http.request.headers'],
  ])('%s suggests %s', (source, suggestion) => {
    const error = errorOf(source)
    expect(error.suggestion).toBe(suggestion)
    expect(error.message).toContain(`did you mean ${suggestion}?`)
  })

  test('what is far from all names gets no suggestion', () => {
    expect(errorOf('completely_else').suggestion).toBeUndefined()
    expect(errorOf('q'.repeat(4000)).suggestion).toBeUndefined()
  })

  test('expected and found stand apart too', () => {
    expect(errorOf('s == 7')).toMatchObject({ found: '7', expected: expect.any(String) })
    expect(errorOf('any(t)')).toMatchObject({ expected: 'Array<Bool>', found: 'Bool' })
  })

  test('a regular expression is marked where it is wrong', () => {
    const error = errorOf(String.raw`s matches "x\"y(?=z)"`)
    expect(error.source.slice(error.start, error.end)).toBe('(?=')
    const raw = errorOf('s matches r#"ab\\Z"#')
    expect(raw.source.slice(raw.start, raw.end)).toBe('\\Z')
  })
})

/** An expression of so many characters. */
const sized = (length: number, char: string): string => `s == "${char.repeat(length - 7)}"`

describe('limits', () => {
  test('4,096 characters pass and 4,097 do not', () => {
    expect(() => compile(sized(4096, 'x'), scheme)).not.toThrow()
    expect(errorOf(sized(4097, 'x')).code).toBe('too_long')
    // A character outside the basic plane is one character and two units.
    expect(() => compile(sized(4096, '😀'), scheme)).not.toThrow()
    expect(errorOf(sized(4097, '😀')).code).toBe('too_long')
    expect(errorOf('x'.repeat(1_000_000)).code).toBe('too_long')
  })

  test.each([
    ['parentheses', (depth: number) => '('.repeat(depth) + 't' + ')'.repeat(depth)],
    ['not', (depth: number) => '!'.repeat(depth) + 't'],
    ['calls', (depth: number) => `${'lower('.repeat(depth)}s${')'.repeat(depth)} == "hello"`],
    [
      'quantifiers',
      (depth: number) => `${'('.repeat(depth - 1)}any(bools)${')'.repeat(depth - 1)}`,
    ],
  ])('128 %s pass and 129 do not', (_, nested) => {
    expect(compile(nested(128), scheme).evaluate({ t: true, s: 'Hello', bools: [true] })).toBe(true)
    expect(errorOf(nested(129)).code).toBe('too_deep')
  })

  test('siblings do not count as nesting', () => {
    expect(() =>
      compile(Array.from({ length: 200 }, () => '(!t)').join('and '), scheme),
    ).not.toThrow()
  })

  test('the scheme sets its own limits', () => {
    expect(errorOf('((t))', { ...scheme, maxNesting: 1 }).code).toBe('too_deep')
    const stars = { ...scheme, wildcardStarLimit: 2 }
    expect(() => compile('s wildcard "*a*"', stars)).not.toThrow()
    expect(errorOf('s wildcard "*a*b*"', stars).code).toBe('bad_wildcard')
  })

  test('a long chain is compiled and answered', () => {
    const chain = Array.from({ length: 1300 }, () => 't').join('&&')
    expect(compile(chain, scheme).evaluate({ t: true })).toBe(true)
  })
})

describe('schemes', () => {
  test('only the functions allowed are known', () => {
    const world = { ...scheme, functions: ['lower'] }
    expect(() => compile('lower(s) == "x"', world)).not.toThrow()
    expect(errorOf('upper(s) == "x"', world)).toMatchObject({ code: 'unknown_function' })
  })

  test('an unknown configuration is an error where they are known', () => {
    const world = { ...scheme, configurations: ['config-a'] }
    expect(() => compile('is_jwt_valid("config-a")', world)).not.toThrow()
    expect(errorOf('is_jwt_valid("config-b")', world)).toMatchObject({
      code: 'unknown_configuration',
      suggestion: 'config-a',
      start: 13,
      end: 23,
    })
  })

  test('so it is where claims are read by configuration', () => {
    const world = { ...requestScheme, configurations: ['config-a'] }
    const source = 'http.request.jwt.claims.sub["config-b"][0] == "x"'
    expect(errorOf(source, world)).toMatchObject({ code: 'unknown_configuration', start: 27 })
  })

  test.each(['Text', 'Array<Bytes', 'Bytes>', 'Map<>', 'array<Bytes>', 'constructor'])(
    'the type %s is misuse',
    (type) => {
      expect(() => compile('true', { fields: { x: type } })).toThrow(TypeError)
    },
  )

  test('a list item of another type is misuse', () => {
    const world = { fields: { n: 'Int' }, lists: { Int: { bad: ['x'] } } }
    expect(() => compile('n in $bad', world)).toThrow(TypeError)
  })
})
