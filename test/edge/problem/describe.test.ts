import { describe as suite, expect, test } from 'vitest'
import { catalogue, describe, type ProblemContext } from '../../../src/edge/problem/index.js'

const NOW = Date.UTC(2026, 3, 24, 9, 22, 40, 999)
const CONTEXT: ProblemContext = { zone: 'shop.example.com', rayId: '9f140b785e57c458', now: NOW }

const MEMBERS = [
  'type',
  'title',
  'status',
  'detail',
  'instance',
  'error_code',
  'error_name',
  'error_category',
  'ray_id',
  'timestamp',
  'zone',
  'cloudflare_error',
  'retryable',
  'retry_after',
  'owner_action_required',
  'what_you_should_do',
  'footer',
]

suite('the problem object', () => {
  test('has the members of spec 7.2 in their order, for every code', () => {
    for (const code of catalogue.keys()) {
      const problem = describe(code, CONTEXT)
      expect(Object.keys(problem)).toEqual(
        MEMBERS.filter((name) => name !== 'retry_after' || problem.retryable),
      )
      expect(problem.instance).toBe(problem.ray_id)
      expect(problem.title.startsWith(`Error ${code}: `)).toBe(true)
      expect(problem.error_code).toBe(code)
      expect(problem.cloudflare_error).toBe(true)
    }
  })

  test('tells one occurrence from another', () => {
    expect(describe(1015, CONTEXT)).toMatchObject({
      type: 'https://shop.example.com/cdn-cgi/error/1015',
      status: 429,
      instance: '9f140b785e57c458',
      timestamp: '2026-04-24T09:22:40Z',
      zone: 'shop.example.com',
      retry_after: 30,
      footer: 'Answered by Portcullis on behalf of the operator of this site.',
    })
  })

  test('has a type of its own for every code', () => {
    const types = [...catalogue.keys()].map((code) => describe(code, CONTEXT).type)
    expect(new Set(types).size).toBe(catalogue.size)
  })

  test.each([9999, 0, -1, 1.5, Number.NaN, 200, 404])(
    'is refused for the unknown code %s',
    (code) => {
      expect(() => describe(code, CONTEXT)).toThrow(TypeError)
    },
  )

  test.each(['__proto__', 'constructor', '1020'])('is refused for the text %j', (text) => {
    expect(() => describe(text as unknown as number, CONTEXT)).toThrow(TypeError)
  })
})

suite('the zone', () => {
  test.each([
    ['Shop.Example.COM:8443', 'shop.example.com'],
    ['shop.example.com:', 'shop.example.com'],
    ['127.0.0.1:80', '127.0.0.1'],
    ['[2001:DB8::1]:443', '[2001:db8::1]'],
    ['_acme.example-1.com', '_acme.example-1.com'],
    ['a'.repeat(253), 'a'.repeat(253)],
    ['a'.repeat(254), 'unknown'],
    ['[::::]', 'unknown'],
    ['::1', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
    ['user@host', 'unknown'],
    ['host/path', 'unknown'],
    ['<script>', 'unknown'],
    ['a b', 'unknown'],
    ['a\r\nset-cookie: x', 'unknown'],
    ['\u212Ashop', 'unknown'],
    ['münchen.de', 'unknown'],
    ['host:port', 'unknown'],
  ])('of the host %j is %s', (zone, expected) => {
    expect(describe(1020, { ...CONTEXT, zone }).zone).toBe(expected)
  })

  test('that is unknown leaves a relative type', () => {
    expect(describe(1020, { now: NOW }).type).toBe('/cdn-cgi/error/1020')
  })
})

suite('the type', () => {
  test.each([
    ['https://docs.example.com/errors/', 'https://docs.example.com/errors/1020'],
    ['/errors#', '/errors#1020'],
    ['javascript:alert(', 'https://shop.example.com/cdn-cgi/error/1020'],
    ['https://docs.example.com/a b', 'https://shop.example.com/cdn-cgi/error/1020'],
  ])('with the base %s is %s', (typeBase, type) => {
    expect(describe(1020, { ...CONTEXT, typeBase }).type).toBe(type)
  })
})

const bytes = () => Uint8Array.of(0, 1, 2, 3, 252, 253, 254, 255, 7)

suite('the ray id', () => {
  test.each(['9f140b785e57c458', '9f140b785e57c458-SJC'])('%s of upstream is kept', (rayId) => {
    expect(describe(1020, { ...CONTEXT, rayId }).ray_id).toBe('9f140b785e57c458')
  })

  test.each([
    '',
    '9F140B785E57C458',
    '9f140b785e57c45',
    '9f140b785e57c458-sjc',
    '9f140b785e57c458\n',
  ])('%j of upstream is replaced by random bytes', (rayId) => {
    expect(describe(1020, { ...CONTEXT, rayId, random: bytes }).ray_id).toBe('00010203fcfdfeff')
  })

  test('differs from answer to answer', () => {
    const ids = Array.from({ length: 1000 }, () => describe(1020, { now: NOW }).ray_id)
    expect(new Set(ids).size).toBe(1000)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/)
  })
})

suite('a Retry-After that is already set', () => {
  const at = (seconds: number) => new Date(Math.floor(NOW / 1000 + seconds) * 1000).toUTCString()

  test.each([
    [7, 7],
    [0, 0],
    ['90', 90],
    [' 90 ', 90],
    ['31536000', 31_536_000],
    // Dates are whole seconds and now is 999 ms past one: rounded up.
    [at(10), 10],
    [at(-100), 0],
    ['Fri, 24 Apr 2026 09:22:42 GMT', 2],
    ['Friday, 24-Apr-26 09:22:42 GMT', 2],
    ['Fri Apr 24 09:22:42 2026', 2],
    ['Sat May  2 09:22:41 2026', 8 * 86_400 + 1],
  ])('as %j gives %s seconds in the body and the advice', (retryAfter, seconds) => {
    const problem = describe(1015, { ...CONTEXT, retryAfter })
    expect(problem.retry_after).toBe(seconds)
    expect(problem.what_you_should_do).toContain(`**Wait ${seconds} seconds, then retry.**`)
  })

  test.each([
    '31536001',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '٣',
    'soon',
    '',
    'Invalid Date',
    'Thu, 24 Apr 2026 09:22:42 GMT',
    'Tue, 31 Feb 2026 09:22:42 GMT',
    'Fri, 24 Apr 2026 09:22:42 +0000',
    '2026-04-24T09:22:42Z',
    'Sat, 24 Apr 2027 09:22:42 GMT\r\nx: y',
    'Mon, 24 Apr 2028 09:22:42 GMT',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -5,
    1.5,
    null,
    undefined,
    '__proto__',
  ])('as %j is ignored', (retryAfter) => {
    expect(describe(1015, { ...CONTEXT, retryAfter }).retry_after).toBe(30)
  })

  test('counts for retryable codes only', () => {
    const problem = describe(1020, { ...CONTEXT, retryAfter: 5 })
    expect(problem.retryable).toBe(false)
    expect(problem).not.toHaveProperty('retry_after')
  })

  test('of one second is said in the singular', () => {
    const problem = describe(1015, { ...CONTEXT, retryAfter: 1 })
    expect(problem.what_you_should_do).toContain('**Wait 1 second, then retry.**')
  })
})

suite('a status that is set', () => {
  test('replaces the status of the code and asks for credentials at 401', () => {
    const problem = describe(1020, { ...CONTEXT, status: 401 })
    expect(problem.status).toBe(401)
    expect(problem.what_you_should_do).toMatch(/^\*\*Fix the request\.\*\* .*credentials/)
  })

  test.each([200, 399, 600, 404.5, Number.NaN, undefined])('to %s is ignored', (status) => {
    expect(describe(1020, { ...CONTEXT, status }).status).toBe(403)
  })
})

suite('the footer', () => {
  test('names the vendor or is what the operator wrote', () => {
    expect(describe(1020, { ...CONTEXT, vendor: 'Acme' }).footer).toContain('by Acme on behalf')
    expect(describe(1020, { ...CONTEXT, footer: 'Ask us.' }).footer).toBe('Ask us.')
  })

  test('holds no control characters, line breaks, half characters or bidi overrides', () => {
    const footer = '\u001b[31ma\nb\u2028c\ud800d\u202ee\u0085\u007f'
    expect(describe(1020, { ...CONTEXT, footer }).footer).toBe('[31ma b c d e')
  })
})
