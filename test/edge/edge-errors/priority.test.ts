import { describe, expect, test } from 'vitest'
import {
  compileEdgeErrors,
  type EdgeErrorsDocument,
  type ErrorRule,
} from '../../../src/edge/edge-errors/index.js'
import type { ProblemContext } from '../../../src/edge/problem/index.js'
import { request } from './request.js'

const CONTEXT: ProblemContext = {
  zone: 'shop.example',
  rayId: '9f140b785e57c458',
  now: Date.UTC(2026, 3, 24, 9, 22, 40),
}

const rule = (id: string, expression: string, more: Partial<ErrorRule> = {}): ErrorRule => ({
  id,
  expression,
  action_parameters: { content: `by ${id}`, content_type: 'text/plain' },
  ...more,
})

function answer(document: EdgeErrorsDocument, code: number, asked = request(), more = {}) {
  return compileEdgeErrors(document).answer({ code, request: asked }, { ...CONTEXT, ...more })
}

describe('what the client receives (spec 7.2)', () => {
  const both: EdgeErrorsDocument = {
    rules: [rule('one', 'http.response.code eq 522')],
    pages: { '5xx': '<p>page</p>' },
  }

  test('is the content of a matching rule first', () => {
    expect(answer(both, 522)).toMatchObject({ by: 'rule', rule: 'one', body: 'by one' })
  })

  test('is the configured page where no rule matches, as HTML for every client', () => {
    const asked = request([['Accept', 'application/json']])
    const given = answer(both, 521, asked)
    expect(given).toMatchObject({ by: 'page', body: '<p>page</p>', status: 521 })
    expect(new Map(given.headers).get('content-type')).toBe('text/html; charset=utf-8')
    expect(new Map(given.headers).has('vary')).toBe(false)
  })

  test('is the negotiated default where there is neither', () => {
    const asked = request([
      ['accept', 'image/png'],
      ['Accept', 'application/json'],
    ])
    const given = answer(both, 1020, asked)
    expect(given).toMatchObject({ by: 'default', status: 403 })
    expect(JSON.parse(given.body)).toMatchObject({ error_code: 1020 })
    expect(new Map(given.headers).get('vary')).toBe('Accept')
  })

  test('is nothing for a code that the catalogue does not have', () => {
    expect(() => answer(both, 999)).toThrow(TypeError)
  })
})

describe('a custom error rule', () => {
  test.each<[string, number, boolean]>([
    ['http.response.code eq 522', 522, true],
    ['http.response.code in {502 504}', 522, false],
    ['http.response.code eq 530', 1016, true],
    ['cf.response.1xxx_code eq 1016', 1016, true],
    ['cf.response.1xxx_code eq 0', 502, true],
    ['cf.response.1xxx_code eq 522', 522, false],
    ['cf.response.error_type eq "5xx"', 500, true],
    ['cf.response.error_type eq "1xxx"', 1016, true],
    ['cf.response.error_type eq "waf"', 1020, true],
    ['cf.response.error_type eq "ip_ban"', 1106, true],
    ['cf.response.error_type eq "ratelimit"', 1015, true],
    ['any(http.request.headers["accept"][*] contains "json")', 500, true],
    ['http.request.uri.path eq "/cart" and http.request.uri.args["x"][0] eq "1"', 500, true],
    ['http.host eq "shop.example" and http.request.method eq "GET" and ssl', 500, true],
    ['http.request.uri.path eq "/other"', 500, false],
    ['ip.src in {192.0.2.0/24}', 500, true],
  ])('that says %s answers %i: %s', (expression, code, matches) => {
    const asked = request([['Accept', 'application/json']], { ip: '192.0.2.7' })
    const given = answer({ rules: [rule('one', expression)] }, code, asked)
    expect(given.by).toBe(matches ? 'rule' : 'default')
  })

  test('sees the status that the client would get', () => {
    const rules = [rule('one', 'http.response.code eq 401')]
    expect(answer({ rules }, 1020, request(), { status: 401 }).by).toBe('rule')
    expect(answer({ rules }, 1020, request(), { status: 403 }).by).toBe('default')
  })

  test('is asked in order, and the first that matches answers', () => {
    const rules = [rule('a', 'false'), rule('b', 'true'), rule('c', 'true')]
    expect(answer({ rules }, 500)).toMatchObject({ rule: 'b' })
  })

  test('that is not enabled is not asked', () => {
    const rules = [rule('a', 'true', { enabled: false }), rule('b', 'true')]
    expect(answer({ rules }, 500)).toMatchObject({ rule: 'b' })
  })

  test.each(['application/json', 'text/html', 'text/markdown', 'text/plain', 'text/xml'] as const)(
    'serves %s as it is written',
    (content_type) => {
      const content = '<script>::RAY_ID::</script> { "é": 1 }'
      const rules = [rule('a', 'true', { action_parameters: { content, content_type } })]
      const given = answer({ rules }, 500)
      expect(given.body).toBe(content)
      expect(Object.fromEntries(given.headers)).toEqual({
        'content-type': `${content_type}; charset=utf-8`,
        'content-length': String(Buffer.byteLength(content)),
        'cache-control': 'private, no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'cf-ray': '9f140b785e57c458',
        'retry-after': '30',
      })
    },
  )

  test('may set the status, and everything that names it agrees', () => {
    const action_parameters = {
      content: '{}',
      content_type: 'application/json',
      status_code: 503,
    } as const
    const given = answer({ rules: [rule('a', 'true', { action_parameters })] }, 522)
    expect(given).toMatchObject({ status: 503, problem: { status: 503, error_code: 522 } })
    expect(new Map(given.headers).get('retry-after')).toBe('120')
  })

  test('keeps the challenge of a blocked request', () => {
    const headers = [['www-authenticate', 'Bearer']] as const
    const given = answer({ rules: [rule('a', 'true')] }, 1020, request(), { status: 401, headers })
    expect(given.status).toBe(401)
    expect(new Map(given.headers).get('www-authenticate')).toBe('Bearer')
  })

  test('may use the named lists of its zone', () => {
    const errors = compileEdgeErrors(
      { rules: [rule('a', 'ip.src in $office')] },
      { lists: { Ip: { office: ['192.0.2.0/24'] } } },
    )
    const met = { code: 500, request: request([], { ip: '192.0.2.1' }) }
    expect(errors.answer(met, CONTEXT).by).toBe('rule')
  })
})

describe('an error page', () => {
  test.each<[number, string]>([
    [1020, 'one'],
    [1015, 'many'],
    [502, 'single'],
    [500, 'fives'],
    [526, 'fives'],
  ])('for %i is "%s": a single code beats its class', (code, body) => {
    const pages = { '1020': 'one', '1xxx': 'many', '502': 'single', '5xx': 'fives' }
    expect(answer({ pages }, code)).toMatchObject({ by: 'page', body })
  })

  test('has the status, the wait and the trace id of its error', () => {
    const given = answer({ pages: { '1xxx': 'x' } }, 1015, request(), { retryAfter: 7 })
    expect(given.status).toBe(429)
    expect(Object.fromEntries(given.headers)).toMatchObject({
      'retry-after': '7',
      'cf-ray': '9f140b785e57c458',
    })
  })

  test('has placeholders', () => {
    const source =
      '::ERROR_CODE::|::ERROR_TITLE::|::RAY_ID::|::ZONE::|::TIMESTAMP::|::CLIENT_IP::|:: ::|::RAY_ID::'
    expect(answer({ pages: { '1xxx': source } }, 1036).body).toBe(
      '1036|Error 1036: Invalid request rewrite (maximum length exceeded)|9f140b785e57c458' +
        '|shop.example|2026-04-24T09:22:40Z|::CLIENT_IP::|:: ::|9f140b785e57c458',
    )
  })

  test.each(['::CLOUDFLARE_ERROR_1000S_BOX::', '::CLOUDFLARE_ERROR_500S_BOX::'])(
    'has the block %s that tells what happened and what to do',
    (source) => {
      expect(answer({ pages: { '5xx': source } }, 521).body).toBe(
        '<section class="cf-error-details"><h2>What happened</h2><p>The origin server refused the connection. The cause is the server of the operator of this site, not your client or the edge.</p><h2>What you should do</h2><p><strong>Wait 120 seconds, then retry.</strong> The operator of this site must check that it runs and lets the edge in; send them the ray ID if this happens again.</p></section>',
      )
    },
  )
})
