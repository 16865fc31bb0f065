import { describe, expect, test } from 'vitest'
import { ask, gateOf, judging, NOW, type Asked } from './zone-fixture.js'

const LINES = [
  ['Host', 'API.example.com:8443'],
  ['User-Agent', 'curl/8'],
  ['Referer', 'https://www.example.com/'],
  ['X-Forwarded-For', '192.0.2.1'],
  ['X-Twice', 'one'],
  ['x-twice', 'two'],
  ['Cookie', 'a=1; b=2'],
  ['Cookie', 'a=3; %63=4; d=%35; \u00c3\u00a9=6; %C3%A9=7'],
  ['Accept-Language', 'de-CH, de;q=0.9,en , ;q=1'],
  ['__proto__', 'p'],
] as const

const REQUEST: Asked = {
  host: 'API.example.com:8443',
  target: '/x/../users/%34%32.tar.GZ?a=1&b&a=%32&=c&__proto__=p',
  secure: true,
  ip: '192.0.2.7',
  httpVersion: 'HTTP/1.1',
  lines: LINES,
}

const holds = (expression: string, asked: Asked = REQUEST) =>
  gateOf(judging(expression)).decide(ask(asked)).action === 'pass'

describe('a request answers', () => {
  test.each([
    ['http.host eq "API.example.com:8443"'],
    ['http.user_agent eq "curl/8"'],
    ['http.referer eq "https://www.example.com/"'],
    ['http.x_forwarded_for eq "192.0.2.1"'],
    ['http.cookie eq "a=1; b=2; a=3; %63=4; d=%35; \\xc3\\xa9=6; %C3%A9=7"'],
    ['http.request.method eq "GET"'],
    ['http.request.version eq "HTTP/1.1"'],
    ['http.request.uri eq "/users/42.tar.GZ?a=1&b&a=%32&=c&__proto__=p"'],
    ['http.request.uri.path eq "/users/42.tar.GZ"'],
    ['http.request.uri.path.extension eq "gz"'],
    ['http.request.uri.query eq "a=1&b&a=%32&=c&__proto__=p"'],
    [
      'http.request.full_uri eq "https://API.example.com:8443/users/42.tar.GZ?a=1&b&a=%32&=c&__proto__=p"',
    ],
    ['http.request.uri.args["a"][0] eq "1"'],
    ['http.request.uri.args["a"][1] eq "%32"'],
    ['http.request.uri.args["b"][0] eq ""'],
    ['http.request.uri.args["__proto__"][0] eq "p"'],
    ['http.request.uri.args.names[2] eq "a"'],
    ['http.request.uri.args.values[3] eq "c"'],
    ['raw.http.request.uri eq "/x/../users/%34%32.tar.GZ?a=1&b&a=%32&=c&__proto__=p"'],
    ['raw.http.request.uri.path eq "/x/../users/%34%32.tar.GZ"'],
    ['raw.http.request.uri.path.extension eq "gz"'],
    ['raw.http.request.uri.query eq "a=1&b&a=%32&=c&__proto__=p"'],
    ['raw.http.request.uri.args["a"][0] eq "1"'],
    ['raw.http.request.full_uri contains "/x/../users/"'],
    ['http.request.headers["x-twice"][0] eq "one"'],
    ['http.request.headers["x-twice"][1] eq "two"'],
    ['http.request.headers["__proto__"][0] eq "p"'],
    ['http.request.headers.names[4] eq "X-Twice"'],
    ['http.request.headers.values[5] eq "two"'],
    ['not http.request.headers.truncated'],
    ['http.request.cookies["a"][1] eq "3"'],
    ['http.request.cookies["c"][0] eq "4"'],
    ['http.request.cookies["d"][0] eq "%35"'],
    ['http.request.cookies["\u00e9"][0] eq "6"'],
    ['http.request.cookies["\u00e9"][1] eq "7"'],
    ['http.request.accepted_languages[0] eq "de-CH"'],
    ['http.request.accepted_languages[2] eq "en"'],
    [`http.request.timestamp.sec eq ${NOW / 1000}`],
    ['http.request.timestamp.msec eq 0'],
    ['ip.src in {192.0.2.0/24}'],
    ['ssl'],
  ])('%s', (expression) => {
    expect(holds(expression)).toBe(true)
  })

  test.each<[string, Asked]>([
    ['ip.src in {0.0.0.0/0 ::/0}', {}],
    ['ip.src in {0.0.0.0/0 ::/0}', { ip: 'nonsense' }],
    ['http.user_agent matches ".*"', {}],
    ['http.request.version matches ".*"', {}],
    ['http.cookie matches ".*"', {}],
    ['http.request.headers["constructor"][0] matches ".*"', {}],
    ['http.request.cookies["constructor"][0] matches ".*"', {}],
    ['http.request.uri.args["constructor"][0] matches ".*"', {}],
    ['ssl', {}],
  ])('nothing to %s of %j', (expression, asked) => {
    expect(holds(expression, asked)).toBe(false)
  })

  test.each<[string, string, string]>([
    ['/users/a', 'http.request.uri.path.extension', ''],
    ['/users/.env', 'http.request.uri.path.extension', 'env'],
    ['/users/a.', 'http.request.uri.path.extension', ''],
    ['/users/42', 'http.request.uri.query', ''],
    ['/users/42?', 'http.request.uri.query', ''],
    ['/users/42', 'http.request.uri', '/users/42'],
    ['/users/42?', 'http.request.uri', '/users/42?'],
    ['/users/42#x', 'http.request.uri', '/users/42'],
    ['/users/42?a?b#c', 'http.request.uri.query', 'a?b'],
  ])('for %s: %s is "%s"', (target, field, value) => {
    expect(holds(`${field} eq "${value}"`, { target })).toBe(true)
  })

  test('http without encryption', () => {
    expect(holds('http.request.full_uri eq "http://api.example.com/users/42"', {})).toBe(true)
  })
})

test('maps are made once for a request', () => {
  let reads = 0
  const request = ask({ lines: LINES })
  const watched = {
    ...request,
    headers: () => {
      reads += 1
      return request.headers()
    },
  }
  const expression = 'http.request.headers["a"][0] eq "1" or http.request.headers["b"][0] eq "2"'
  gateOf(judging(expression)).decide(watched)
  expect(reads).toBe(1)
})
