import { explanation } from '../../../src/edge/gate/index.js'
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { createGate, type Explanation, type TokenValidationRule } from '../../../src/edge/index.js'
import { encode } from '../token/keys.js'
import { decisions } from './arbitraries.js'
import {
  ask,
  AUTHORIZATION,
  bearer,
  configuration,
  ES,
  FORGED,
  gateOf,
  HS,
  judging,
  NOW,
  NOW_SECONDS,
  RULE,
  SESSION,
  STRANGER,
  tokenOf,
  VALID,
  zone,
  type Asked,
} from './zone-fixture.js'

const explain = (policy: unknown, asked: Asked = {}): Explanation =>
  gateOf(policy).explain(ask(asked))

test('an explanation tells every step from the request to the decision', () => {
  const policy = judging('is_jwt_valid("A") and http.request.method eq "PUT"')
  const explained = explain(policy, { target: '/x/../users/%34?q=1', lines: [bearer(VALID)] })
  expect(JSON.parse(JSON.stringify(explained))).toMatchObject({
    request: { method: 'GET', host: 'api.example.com', path: '/users/4' },
    zone: { id: 'zone', name: 'example.com' },
    operation: {
      operation_id: 'op',
      method: 'GET',
      host: 'api.example.com',
      endpoint: '/users/{id}',
    },
    rules: [{ id: 'rule', title: '', why: 'decides' }],
    configurations: [
      {
        id: 'A',
        title: '',
        present: true,
        valid: true,
        reason: 'valid',
        source_index: 0,
        key: { alg: 'ES256', kid: 'es' },
        sources: [{ expression: AUTHORIZATION, result: 'token_taken' }],
      },
    ],
    expression: {
      source: 'is_jwt_valid("A") and http.request.method eq "PUT"',
      steps: [
        { text: 'is_jwt_valid("A") and http.request.method eq "PUT"', value: false, depth: 0 },
        { text: 'is_jwt_valid("A")', start: 0, end: 17, value: true, skipped: false, depth: 1 },
        { text: 'http.request.method eq "PUT"', start: 22, value: false, depth: 1 },
        { text: 'http.request.method', value: 'GET', depth: 2 },
      ],
    },
    decision: { action: 'block', reason: 'expression_failed', status: 403, rule: 'rule' },
  })
})

describe('of a rule it says', () => {
  const named = (id: string, parts: Partial<TokenValidationRule> = {}): TokenValidationRule => ({
    ...RULE,
    id,
    ...parts,
  })
  const elsewhere = { include: [{ host: 'www.example.com' }] }
  const rules = [
    named('off', { enabled: false }),
    named('elsewhere', { selector: elsewhere }),
    named('excluded', { selector: { exclude: [{ operation_ids: ['op'] }] } }),
    named('first'),
    named('late'),
    named('late and elsewhere', { selector: elsewhere }),
  ]
  const whys = (policy: unknown, asked: Asked = {}) =>
    Object.fromEntries(explain(policy, asked).rules.map(({ id, why }) => [id, why]))

  test('why it decided or did not', () => {
    expect(whys(zone({ rules }))).toEqual({
      off: 'disabled',
      elsewhere: 'host_not_included',
      excluded: 'operation_excluded',
      first: 'decides',
      late: 'later_in_order',
      'late and elsewhere': 'host_not_included',
    })
  })

  test('that no operation matched, where such requests pass', () => {
    expect(whys(zone({ rules }), { target: '/' })).toEqual({
      off: 'disabled',
      elsewhere: 'host_not_included',
      excluded: 'no_operation',
      first: 'no_operation',
      late: 'no_operation',
      'late and elsewhere': 'host_not_included',
    })
  })

  test('why it decided or did not for a request that is covered though unlisted', () => {
    const settings = { unlisted_operations: 'cover' } as const
    expect(whys(zone({ rules, settings }), { target: '/' })).toMatchObject({
      off: 'disabled',
      elsewhere: 'host_not_included',
      excluded: 'decides',
      first: 'later_in_order',
    })
  })

  test('that it does not include the variable host of an operation', () => {
    const [operation] = zone().operations ?? []
    const policy = zone({
      operations: [{ ...operation!, host: '{x}.example.com' }],
      rules: [
        named('exact', { selector: { include: [{ host: 'api.example.com' }] } }),
        named('any'),
      ],
    })
    expect(whys(policy)).toEqual({ exact: 'host_not_included', any: 'decides' })
  })

  test('nothing for an unknown host', () => {
    const explained = explain(zone(), { host: 'example.org' })
    expect(explained).toMatchObject({ zone: null, operation: null, rules: [], expression: null })
  })
})

describe('of a configuration it says', () => {
  const sources = [SESSION, AUTHORIZATION, 'http.request.headers["x-token"][0]']
  const stepsOf = (lines: Asked['lines'], settings = {}) =>
    explain(zone({ token_configurations: [configuration('A', [ES], sources)], settings }), {
      lines: lines ?? [],
    }).configurations[0]

  test('where a token was found and what was not tried', () => {
    expect(stepsOf([bearer(VALID), ['X-Token', 'x']])?.sources.map(({ result }) => result)).toEqual(
      ['empty_or_absent', 'token_taken', 'not_tried'],
    )
    expect(stepsOf([])?.sources.map(({ result }) => result)).toEqual([
      'empty_or_absent',
      'empty_or_absent',
      'empty_or_absent',
    ])
  })

  test.each<[string, Asked['lines'], string | null]>([
    ['absent', [], 'present'],
    ['ambiguous', [bearer(VALID), ['X-Token', 'x']], 'unambiguous'],
    ['too_large', [bearer('x'.repeat(20_000))], 'size'],
    ['malformed', [bearer('x')], 'form'],
    [
      'critical_header',
      [bearer(`${encode({ alg: 'ES256', kid: 'es', crit: [] })}.e30.AA`)],
      'crit',
    ],
    ['alg_not_allowed', [bearer(`${encode({ alg: 'none' })}.e30.AA`)], 'alg'],
    ['unknown_key', [bearer(`${encode({ alg: 'ES256', kid: 'x' })}.e30.AA`)], 'kid'],
    ['bad_claims', [bearer(tokenOf(ES, []))], 'claims'],
    ['expired', [bearer(tokenOf(ES, { exp: 1 }))], 'exp'],
    ['not_yet_valid', [bearer(tokenOf(ES, { nbf: 2 * NOW_SECONDS }))], 'nbf'],
    ['bad_signature', [bearer(FORGED)], 'signature'],
    ['valid', [bearer(VALID)], null],
  ])('which check ended in %s', (reason, lines, failed) => {
    const steps = stepsOf(lines, { ambiguous_tokens: 'reject' })
    expect(steps?.reason).toBe(reason)
    const results = steps?.checks.map(({ result }) => result) ?? []
    const at = steps?.checks.findIndex(({ check }) => check === failed) ?? -1
    expect(results[at]).toBe(failed === null ? undefined : 'failed')
    expect(results.filter((result) => result === 'failed')).toHaveLength(failed === null ? 0 : 1)
    if (failed === null) expect(results).not.toContain('not_reached')
    else expect(results.slice(at + 1).every((result) => result === 'not_reached')).toBe(true)
  })
})

describe('of an expression it shows', () => {
  const valueOf = (expression: string, text: string, asked: Asked = {}) =>
    explain(judging(expression), {
      lines: [bearer(tokenOf(ES, { sub: 's3cret', aud: ['s3cret'] })), ['X-Key', 's3cret']],
      ip: '192.0.2.1',
      ...asked,
    }).expression?.steps.find((step) => step.text === text)?.value

  test.each([
    ['http.host eq "x"', 'http.host', 'api.example.com'],
    ['http.request.uri.path eq "x"', 'http.request.uri.path', '/users/42'],
    ['ip.src eq 192.0.2.9', 'ip.src', '192.0.2.1'],
    ['ssl', 'ssl', false],
    [`http.request.timestamp.sec gt 1`, 'http.request.timestamp.sec', NOW_SECONDS],
    ['http.request.headers["x-key"][0] eq "x"', 'http.request.headers["x-key"][0]', '[redacted]'],
    ['http.request.headers["x-none"][0] eq "x"', 'http.request.headers["x-none"][0]', undefined],
    [
      'len(http.request.headers["x-key"][0]) eq 6',
      'len(http.request.headers["x-key"][0])',
      '[redacted]',
    ],
    [
      'http.request.jwt.claims.sub["A"][0] eq "x"',
      'http.request.jwt.claims.sub["A"][0]',
      '[redacted]',
    ],
    [
      'http.request.jwt.claims["A"][0] contains "x"',
      'http.request.jwt.claims["A"][0]',
      '[redacted]',
    ],
    [
      'any(http.request.jwt.claims.aud["A"][*] eq "x")',
      'http.request.jwt.claims.aud["A"][*] eq "x"',
      '[redacted]',
    ],
    [
      'any(http.request.jwt.claims.aud["A"][*] eq "s3cret")',
      'any(http.request.jwt.claims.aud["A"][*] eq "s3cret")',
      true,
    ],
    ['http.request.uri.query eq "x"', 'http.request.uri.query', '[redacted]'],
    ['http.request.full_uri eq "x"', 'http.request.full_uri', '[redacted]'],
    ['lower(http.host) eq "x" and http.cookie eq "y"', 'lower(http.host)', 'api.example.com'],
  ])('in %s: %s as %j', (expression, text, value) => {
    expect(valueOf(expression, text)).toEqual(value)
  })

  test('what was not evaluated as skipped', () => {
    const steps = explain(judging('is_jwt_valid("A") and ssl')).expression?.steps ?? []
    expect(steps.map(({ text, skipped }) => [text, skipped])).toEqual([
      ['is_jwt_valid("A") and ssl', false],
      ['is_jwt_valid("A")', false],
      ['ssl', true],
    ])
  })
})

test('explain comes to the decision that decide makes', () => {
  fc.assert(
    fc.property(decisions, ({ policy, request }) => {
      const gate = gateOf(policy)
      expect(gate.explain(request).decision.toJSON()).toEqual(gate.decide(request).toJSON())
    }),
    { numRuns: 200 },
  )
})

test('explain gives a promise where decide does', async () => {
  const gate = createGate(zone(), { now: () => NOW, explanation })
  const { decision } = await gate.explain(ask({ lines: [bearer(VALID)] }))
  expect(decision.action).toBe('pass')
})

describe('an explanation as JSON', () => {
  /** Text that stands nowhere by accident. */
  const marked = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .map((text) => `claim-${text}-claim`)
  const claims = fc.record({
    sub: marked,
    iss: marked,
    jti: marked,
    aud: fc.oneof(marked, fc.array(marked, { minLength: 1 })),
    nested: fc.record({ email: marked }),
    exp: fc.constantFrom(1, 2 * NOW_SECONDS),
  })
  const expressions = fc.constantFrom(
    'is_jwt_valid("A") and is_jwt_valid("B")',
    'http.request.headers["authorization"][0] contains "x"',
    'any(http.request.headers.values[*] eq "x")',
    'any(http.request.cookies["session"][*] eq "x") or http.cookie contains "x"',
    'http.request.jwt.claims["A"][0] eq "x"',
    'lookup_json_string(http.request.jwt.claims["A"][0], "nested", "email") eq "x"',
    'lower(http.request.jwt.claims.sub["A"][0]) eq "x" or any(http.request.jwt.claims.aud["A"][*] contains "x")',
    'concat(http.host, http.request.jwt.claims.iss["A"][0]) eq "x"',
    'any(http.request.jwt.claims.jti.values[*] eq "x") or http.host eq "y"',
  )
  const keys = fc.constantFrom(ES, STRANGER, HS)

  test('holds no token, no part of one, no claim and no secret', () => {
    fc.assert(
      fc.property(claims, expressions, keys, fc.boolean(), (payload, expression, key, inCookie) => {
        const token = tokenOf(key, payload)
        const policy = judging(expression, {
          token_configurations: [
            configuration('A', [ES, HS], [AUTHORIZATION, SESSION]),
            configuration('B', [HS], ['http.request.headers["x-b"][0]']),
          ],
        })
        const lines = [
          inCookie ? (['Cookie', `session=${token}`] as const) : bearer(token),
          ['X-B', token] as const,
        ]
        const request = ask({ lines, target: `/users/42?access_token=${token}` })
        const explained = gateOf(policy).explain(request)
        const [header = '', body = '', signature = ''] = token.split('.')
        const secrets = [
          header,
          body,
          signature,
          String(HS.jwk['k']),
          payload.sub,
          payload.iss,
          payload.jti,
          ...[payload.aud].flat(),
          payload.nested.email,
        ]
        for (const text of [JSON.stringify(explained), JSON.stringify(explained.decision)]) {
          for (const secret of secrets) {
            expect(text).not.toContain(secret)
            expect(text).not.toContain(JSON.stringify(secret).slice(1, -1))
          }
        }
      }),
      { numRuns: 150 },
    )
  })
})
