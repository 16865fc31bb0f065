import { describe, expect, test } from 'vitest'
import { locate } from '../../../src/edge/expression/index.js'
import { errorFrom } from './world.js'

describe('locate', () => {
  test.each([
    ['http.request.headers["authorization"][0]', 'header', 'authorization'],
    ['http.request.headers["X-Token"][0]', 'header', 'x-token'],
    [' http.request.headers[ "x" ][ 0 ]\n', 'header', 'x'],
    [String.raw`http.request.headers["\x78"][0x0]`, 'header', 'x'],
    ['http.request.cookies["Session"][0]', 'cookie', 'Session'],
    ['http.request.cookies["é ;"][0]', 'cookie', 'é ;'],
    ['http.request.cookies["__proto__"][0]', 'cookie', '__proto__'],
    ['http.request.cookies["1"][0]', 'cookie', '1'],
    ['http.request.headers["constructor"][0]', 'header', 'constructor'],
    ['(http.request.cookies["a"][0])', 'cookie', 'a'],
  ])('%s', (expression, kind, name) => {
    expect(locate(expression)).toMatchObject({ kind, name, expression })
  })

  test('a header name with capitals is read as small letters, with a notice', () => {
    expect(locate('http.request.headers["X-Token"][0]').warnings).toMatchObject([
      { code: 'upper_case_header', start: 20, end: 31, line: 1, column: 21 },
    ])
    expect(locate('http.request.cookies["X-Token"][0]').warnings).toEqual([])
  })

  test.each([
    ['', 'expected'],
    ['authorization', 'bad_source'],
    ['http.host', 'bad_source'],
    ['http.request.headers', 'bad_source'],
    ['http.request.headers["a"]', 'bad_source'],
    ['http.request.headers["a"][1]', 'bad_source'],
    ['http.request.headers["a"][*]', 'bad_source'],
    ['http.request.headers[*][0]', 'bad_source'],
    ['http.request.headers["a"][0][0]', 'bad_source'],
    ['http.request.headers[""][0]', 'bad_source'],
    ['http.request.cookies[""][0]', 'bad_source'],
    ['http.request.headers["a b"][0]', 'bad_source'],
    ['http.request.headers["é"][0]', 'bad_source'],
    [String.raw`http.request.headers["a\x0a"][0]`, 'bad_source'],
    ['http.request.headers["a"][0] == "x"', 'bad_source'],
    ['not http.request.headers["a"][0]', 'bad_source'],
    ['lower(http.request.headers["a"][0])', 'bad_source'],
    ['http.request.uri.args["a"][0]', 'bad_source'],
    ['http.request.headers ["a"][0]', 'unexpected_input'],
    ["http.request.headers['a'][0]", 'expected'],
    ['http.request.headers["a"][0', 'expected'],
    ['constructor["a"][0]', 'bad_source'],
  ])('%s is %s', (expression, code) => {
    expect(errorFrom(() => locate(expression)).code).toBe(code)
  })
})
