import { describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/edge/selector/index.js'
import type { TokenValidationRule, ZoneSettings } from '../../../src/edge/index.js'
import { encode, makeKey, makeToken } from '../token/keys.js'
import {
  ask,
  bearer,
  configuration,
  ES,
  FORGED,
  gateOf,
  HS,
  judging,
  NOW_SECONDS,
  RULE,
  tokenOf,
  VALID,
  zone,
  type Asked,
} from './zone-fixture.js'

const operation = (operation_id: string, parts: Partial<Operation> = {}): Operation => ({
  operation_id,
  method: 'GET',
  host: 'api.example.com',
  endpoint: `/${operation_id}`,
  ...parts,
})
const rule = (id: string, parts: Partial<TokenValidationRule> = {}): TokenValidationRule => ({
  ...RULE,
  id,
  ...parts,
})

describe('a request', () => {
  test.each<[string, Asked, object]>([
    [
      'with a valid token passes',
      { lines: [bearer(VALID)] },
      {
        action: 'pass',
        reason: 'satisfied',
        rule: 'rule',
        operation: 'op',
        status: null,
        error_code: null,
        challenge: null,
      },
    ],
    [
      'without a token is blocked with a challenge',
      {},
      {
        action: 'block',
        reason: 'no_valid_token',
        status: 401,
        error_code: 1020,
        challenge: 'Bearer realm="example.com"',
      },
    ],
    [
      'with a forged token is told so',
      { lines: [bearer(FORGED)] },
      {
        action: 'block',
        reason: 'no_valid_token',
        status: 401,
        error_code: 1020,
        challenge: 'Bearer realm="example.com", error="invalid_token"',
      },
    ],
    [
      'for no operation passes as unlisted',
      { target: '/other' },
      { action: 'pass', reason: 'unlisted', zone: 'zone', operation: null, rule: null },
    ],
    [
      'by another method passes as unlisted',
      { method: 'HEAD' },
      { action: 'pass', reason: 'unlisted' },
    ],
    [
      'by a method in lower case is judged as what an origin may take it for',
      { method: 'get' },
      { action: 'block', operation: 'op' },
    ],
    [
      'with a query is judged by its path',
      { target: '/users/42?a=/x' },
      { action: 'block', operation: 'op', target: '/users/42?a=/x' },
    ],
    [
      'with an empty query keeps it',
      { target: '/users/42?' },
      { action: 'block', target: '/users/42?' },
    ],
    [
      'with a fragment loses it',
      { target: '/users/42#/../../x' },
      { action: 'block', operation: 'op', target: '/users/42' },
    ],
    [
      'with a fragment before the query loses both',
      { target: '/users/42#?x' },
      { action: 'block', target: '/users/42' },
    ],
    [
      'with dot segments is judged by where they lead',
      { target: '/public/../users/42' },
      { action: 'block', operation: 'op', target: '/users/42' },
    ],
    [
      'with encoded dot segments too',
      { target: '/public/%2e%2E/users/42' },
      { action: 'block', operation: 'op', target: '/users/42' },
    ],
    [
      'with needless encoding too',
      { target: '/%75sers/42' },
      { action: 'block', operation: 'op', target: '/users/42' },
    ],
    [
      'with doubled slashes too',
      { target: '//users///42' },
      { action: 'block', operation: 'op', target: '/users/42' },
    ],
    [
      'with a trailing slash is for another path',
      { target: '/users/42/' },
      { action: 'pass', reason: 'unlisted' },
    ],
    [
      'in other letters is for another path',
      { target: '/Users/42' },
      { action: 'pass', reason: 'unlisted' },
    ],
    [
      'with a zero byte is judged',
      { target: '/users/42\0' },
      { action: 'block', operation: 'op', target: '/users/42%00' },
    ],
    [
      'with a backslash is judged',
      { target: '/users/4\\2' },
      { action: 'block', operation: 'op', target: '/users/4%5C2' },
    ],
    [
      'with raw bytes is judged',
      { target: '/users/\u00ff' },
      { action: 'block', operation: 'op', target: '/users/%FF' },
    ],
    [
      'with an encoded slash is judged',
      { target: '/users/a%2fb' },
      { action: 'block', operation: 'op', target: '/users/a%2Fb' },
    ],
    [
      'with path parameters is judged',
      { target: '/users/42;v=1' },
      { action: 'block', operation: 'op' },
    ],
    [
      'for a host in capitals is judged',
      { host: 'API.Example.com' },
      { action: 'block', operation: 'op' },
    ],
    [
      'for a host with a port is judged',
      { host: 'api.example.com:8443' },
      { action: 'block', operation: 'op' },
    ],
    [
      'for a host with a trailing dot is judged',
      { host: 'api.example.com.' },
      { action: 'block', operation: 'op' },
    ],
    [
      'for another host of the zone is unlisted',
      { host: 'www.example.com' },
      { action: 'pass', reason: 'unlisted', zone: 'zone' },
    ],
    [
      'for a host of no zone is refused',
      { host: 'example.org' },
      {
        action: 'block',
        reason: 'unknown_host',
        zone: null,
        status: 530,
        error_code: 1018,
        challenge: null,
      },
    ],
    [
      'for a host that only ends alike is refused',
      { host: 'api.evilexample.com' },
      { action: 'block', reason: 'unknown_host' },
    ],
    [
      'for the parent of the zone is refused',
      { host: 'com' },
      { action: 'block', reason: 'unknown_host' },
    ],
    ['without a host is refused', { host: '' }, { action: 'block', reason: 'unknown_host' }],
    [
      'for __proto__ is refused',
      { host: '__proto__' },
      { action: 'block', reason: 'unknown_host' },
    ],
    [
      'for constructor is refused',
      { host: 'constructor' },
      { action: 'block', reason: 'unknown_host' },
    ],
    [
      'with user information before the host is bad',
      { host: 'x@api.example.com' },
      { action: 'block', reason: 'bad_request', status: 400 },
    ],
    [
      'with user information behind a colon is bad',
      { host: 'www.example.com:x@api.example.com' },
      { action: 'block', reason: 'bad_request' },
    ],
    [
      'with two hosts in one is bad',
      { host: 'www.example.com, api.example.com' },
      { action: 'block', reason: 'bad_request' },
    ],
    [
      'with an endless host is bad',
      { host: 'a.'.repeat(8000) },
      { action: 'block', reason: 'bad_request' },
    ],
    [
      'in absolute form, which whoever embeds the gate resolves, is bad',
      { target: 'http://api.example.com/users/42' },
      { action: 'block', reason: 'bad_request', status: 400, error_code: 1020, zone: 'zone' },
    ],
    [
      'in authority form is bad',
      { method: 'CONNECT', target: 'api.example.com:443' },
      { action: 'block', reason: 'bad_request' },
    ],
    ['with an empty target is bad', { target: '' }, { action: 'block', reason: 'bad_request' }],
    [
      'with a target that lacks its slash is bad',
      { target: 'users/42' },
      { action: 'block', reason: 'bad_request' },
    ],
    [
      'with a backslash for the first slash is bad',
      { target: '\\users\\42' },
      { action: 'block', reason: 'bad_request' },
    ],
    [
      'for the asterisk by OPTIONS is for no operation',
      { method: 'OPTIONS', target: '*' },
      { action: 'pass', reason: 'unlisted', target: '*' },
    ],
    [
      'for the asterisk by another method is bad',
      { target: '*' },
      { action: 'block', reason: 'bad_request' },
    ],
    [
      'for a segment __proto__ is judged like any other',
      { target: '/users/__proto__' },
      { action: 'block', operation: 'op' },
    ],
    [
      'for a path __proto__ is for no operation',
      { target: '/__proto__/constructor' },
      { action: 'pass', reason: 'unlisted' },
    ],
    [
      'by a method __proto__ is for no operation',
      { method: '__proto__' },
      { action: 'pass', reason: 'unlisted' },
    ],
    [
      'by a method constructor is for no operation',
      { method: 'constructor' },
      { action: 'pass', reason: 'unlisted' },
    ],
  ])('%s', (_what, asked, expected) => {
    expect(gateOf(zone()).decide(ask(asked))).toMatchObject({
      failure: null,
      epoch: 1,
      ...expected,
    })
  })

  test('for an unknown host passes where that is wanted, and a bad one still does not', () => {
    const gate = gateOf(zone(), { unknownHost: 'pass' })
    expect(gate.decide(ask({ host: 'example.org', target: '/a/../b' }))).toMatchObject({
      action: 'pass',
      reason: 'unknown_host',
      zone: null,
      target: '/b',
    })
    expect(gate.decide(ask({ host: 'x@api.example.com' })).reason).toBe('bad_request')
  })

  test('passes with slashes untouched where a zone does not merge them', () => {
    const gate = gateOf(zone({ settings: { merge_slashes: false } }))
    expect(gate.decide(ask({ target: '/users//42' }))).toMatchObject({
      reason: 'unlisted',
      target: '/users//42',
    })
  })
})

describe('several zones', () => {
  const nested = {
    zones: [
      zone(),
      zone({ id: 'inner', name: 'eu.example.com', operations: [], rules: [] }),
      zone({ id: 'idn', name: 'b\u00fccher.example', operations: [], rules: [] }),
      zone({ id: 'local', name: 'localhost', operations: [], rules: [] }),
    ],
  }
  test.each([
    ['example.com', 'zone'],
    ['api.example.com', 'zone'],
    ['a.b.c.example.com', 'zone'],
    ['eu.example.com', 'inner'],
    ['api.eu.example.com', 'inner'],
    ['noteu.example.com', 'zone'],
    ['xn--bcher-kva.example', 'idn'],
    ['localhost:8080', 'local'],
    ['example', null],
  ])('%s is for zone %s', (host, id) => {
    expect(gateOf(nested).decide(ask({ host, target: '/' })).zone).toBe(id)
  })

  test('have their own configurations, though they share an id', () => {
    const other = zone({
      id: 'other',
      name: 'example.org',
      operations: [operation('op', { host: 'example.org' })],
      token_configurations: [configuration('A', [HS])],
    })
    const gate = gateOf({ zones: [zone(), other] })
    const lines = [bearer(VALID)]
    expect(gate.decide(ask({ lines })).action).toBe('pass')
    expect(gate.decide(ask({ lines, host: 'example.org', target: '/op' }))).toMatchObject({
      action: 'block',
      configurations: [{ reason: 'unknown_key' }],
    })
  })
})

describe('the rule that decides', () => {
  const operations = [operation('one'), operation('two', { host: 'www.example.com' })]
  const decide = (rules: readonly TokenValidationRule[], id = 'one') =>
    gateOf(zone({ operations, rules })).decide(
      ask({ target: `/${id}`, host: id === 'one' ? 'api.example.com' : 'www.example.com' }),
    )

  test.each<[string, TokenValidationRule[], string | null]>([
    ['is the first one', [rule('a'), rule('b')], 'a'],
    ['is the first one even if it only logs', [rule('a', { action: 'log' }), rule('b')], 'a'],
    [
      'is the first one even if it is satisfied',
      [rule('a', { expression: 'true' }), rule('b')],
      'a',
    ],
    ['is none that is disabled', [rule('a', { enabled: false }), rule('b')], 'b'],
    [
      'includes the host',
      [rule('a', { selector: { include: [{ host: 'www.example.com' }] } }), rule('b')],
      'b',
    ],
    [
      'includes the host in a list',
      [rule('a', { selector: { include: [{ host: ['www.example.com', 'api.example.com'] }] } })],
      'a',
    ],
    [
      'does not exclude the operation',
      [rule('a', { selector: { exclude: [{ operation_ids: ['one'] }] } }), rule('b')],
      'b',
    ],
    [
      'does not exclude what it includes',
      [
        rule('a', {
          selector: {
            include: [{ host: 'api.example.com' }],
            exclude: [{ operation_ids: ['one'] }],
          },
        }),
      ],
      null,
    ],
    ['may have a null selector', [rule('a', { selector: null })], 'a'],
    ['may have an empty selector', [rule('a', { selector: {} })], 'a'],
    ['may have null lists', [rule('a', { selector: { include: null, exclude: null } })], 'a'],
    ['has no empty include', [rule('a', { selector: { include: [] } }), rule('b')], 'b'],
    ['may be none', [], null],
  ])('%s', (_what, rules, id) => {
    const decision = decide(rules)
    expect(decision.rule).toBe(id)
    expect(decision.operation).toBe('one')
    if (id === null) expect(decision.reason).toBe('not_covered')
  })

  test('has a default id by its place', () => {
    const { id: _id, ...nameless } = RULE
    expect(decide([rule('x', { enabled: false }), nameless]).rule).toBe('rule-2')
  })

  test.each<[string, Partial<TokenValidationRule>, object]>([
    [
      'that blocks, blocks what fails it',
      { action: 'block' },
      { action: 'block', reason: 'no_valid_token' },
    ],
    [
      'that logs, lets pass what fails it',
      { action: 'log' },
      { action: 'log', reason: 'no_valid_token', status: null, error_code: null, challenge: null },
    ],
    [
      'that always holds, lets all pass',
      { expression: 'true' },
      { action: 'pass', reason: 'satisfied' },
    ],
    [
      'that never holds, blocks all',
      { expression: 'false' },
      { action: 'block', reason: 'expression_failed', status: 403 },
    ],
  ])('a rule %s', (_what, parts, expected) => {
    expect(decide([rule('a', parts)])).toMatchObject(expected)
  })
})

describe('unlisted requests', () => {
  const COVER: ZoneSettings = { unlisted_operations: 'cover' }
  const decide = (rules: readonly TokenValidationRule[], asked: Asked, settings = COVER) =>
    gateOf(zone({ rules, settings })).decide(ask({ target: '/unlisted', ...asked }))
  const onApi = { include: [{ host: 'api.example.com' }] }

  test.each<[string, TokenValidationRule[], Asked, object]>([
    [
      'count as covered on an included host',
      [rule('a', { selector: onApi })],
      {},
      { action: 'block', rule: 'a', operation: null },
    ],
    [
      'pass on it with a token',
      [rule('a', { selector: onApi })],
      { lines: [bearer(VALID)] },
      { action: 'pass', reason: 'satisfied', rule: 'a' },
    ],
    [
      'stay unlisted on another host',
      [rule('a', { selector: onApi })],
      { host: 'www.example.com' },
      { action: 'pass', reason: 'unlisted', rule: null },
    ],
    [
      'fall under a rule over every host',
      [rule('a')],
      { host: 'www.example.com' },
      { action: 'block', rule: 'a' },
    ],
    [
      'fall under a rule over a variable host',
      [rule('a', { selector: { include: [{ host: '{x}.example.com' }] } })],
      { host: 'any.example.com' },
      { action: 'block', rule: 'a' },
    ],
    [
      'fall under the first rule of several',
      [
        rule('a', { selector: { include: [{ host: '{x}.example.com' }] } }),
        rule('b', { selector: onApi }),
      ],
      {},
      { rule: 'a' },
    ],
    [
      'do not mind what is excluded',
      [rule('a', { selector: { ...onApi, exclude: [{ operation_ids: ['op'] }] } })],
      {},
      { rule: 'a' },
    ],
    ['do not see disabled rules', [rule('a', { enabled: false }), rule('b')], {}, { rule: 'b' }],
    [
      'may be for the asterisk',
      [rule('a')],
      { method: 'OPTIONS', target: '*' },
      { action: 'block', rule: 'a' },
    ],
  ])('%s', (_what, rules, asked, expected) => {
    expect(decide(rules, asked)).toMatchObject(expected)
  })

  test('pass by default', () => {
    expect(decide([rule('a')], {}, {})).toMatchObject({ action: 'pass', reason: 'unlisted' })
    expect(decide([rule('a')], {}, { unlisted_operations: 'pass' }).action).toBe('pass')
  })
})

describe('expressions over two configurations', () => {
  const a = bearer(VALID)
  const b = ['X-B', tokenOf(HS)] as const
  const badA = bearer(FORGED)
  const wrongB = ['X-B', VALID] as const
  test.each<[string, readonly (readonly [string, string])[], string, number | null]>([
    ['is_jwt_valid("A")', [a], 'satisfied', null],
    ['is_jwt_valid("A")', [b], 'no_valid_token', 401],
    ['is_jwt_present("A")', [badA], 'satisfied', null],
    ['is_jwt_present("A")', [], 'no_valid_token', 401],
    ['is_jwt_valid("A") or is_jwt_valid("B")', [b], 'satisfied', null],
    ['is_jwt_valid("A") or is_jwt_valid("B")', [badA, b], 'satisfied', null],
    ['is_jwt_valid("A") or is_jwt_valid("B")', [badA, wrongB], 'no_valid_token', 401],
    ['is_jwt_valid("A") and is_jwt_valid("B")', [a, b], 'satisfied', null],
    ['is_jwt_valid("A") and is_jwt_valid("B")', [a], 'expression_failed', 403],
    ['is_jwt_valid("A") and is_jwt_valid("B")', [a, wrongB], 'expression_failed', 403],
    ['is_jwt_valid("A") or not is_jwt_present("A")', [], 'satisfied', null],
    ['is_jwt_valid("A") or not is_jwt_present("A")', [badA], 'no_valid_token', 401],
    ['is_jwt_valid("A") or http.request.method eq "GET"', [], 'satisfied', null],
    ['is_jwt_valid("A") and http.request.method eq "PUT"', [a], 'expression_failed', 403],
    ['not is_jwt_valid("A")', [a], 'expression_failed', 403],
    ['http.request.method eq "PUT"', [], 'expression_failed', 403],
  ])('%s', (expression, lines, reason, status) => {
    expect(gateOf(judging(expression)).decide(ask({ lines }))).toMatchObject({ reason, status })
  })

  test('only what the expression asks about is consulted', () => {
    const outcomes = (expression: string) =>
      gateOf(judging(expression))
        .decide(ask({ lines: [a, b] }))
        .configurations.map(({ id }) => id)
    expect(outcomes('is_jwt_valid("B")')).toEqual(['B'])
    expect(outcomes('true')).toEqual([])
    expect(outcomes('any(http.request.jwt.claims.sub["A"][*] eq "x")')).toEqual(['A'])
    expect(outcomes('any(http.request.jwt.claims.sub.values[*] eq "x")')).toEqual(['A', 'B'])
  })
})

describe('the status of a blocked request', () => {
  const invalid = 'Bearer realm="example.com", error="invalid_token"'
  const bare = 'Bearer realm="example.com"'
  test.each<
    [
      NonNullable<ZoneSettings['block_status']>,
      string,
      readonly (readonly [string, string])[],
      number,
      string | null,
    ]
  >([
    ['auto', 'is_jwt_valid("A")', [], 401, bare],
    ['auto', 'is_jwt_valid("A")', [bearer('x')], 401, invalid],
    ['auto', 'is_jwt_valid("A") and false', [bearer(VALID)], 403, null],
    ['auto', 'false', [bearer('x')], 403, null],
    [401, 'is_jwt_valid("A")', [], 401, bare],
    [401, 'is_jwt_valid("A")', [bearer('x')], 401, invalid],
    [401, 'is_jwt_valid("A") and false', [bearer(VALID)], 401, bare],
    [403, 'is_jwt_valid("A")', [], 403, null],
    [403, 'is_jwt_valid("A")', [bearer('x')], 403, null],
    [403, 'is_jwt_valid("A") and false', [bearer(VALID)], 403, null],
  ])('with %s, for %s and %j, is %i', (block_status, expression, lines, status, challenge) => {
    const policy = judging(expression, { settings: { block_status } })
    expect(gateOf(policy).decide(ask({ lines }))).toMatchObject({
      status,
      challenge,
      error_code: 1020,
    })
  })

  test('has a realm that a header can carry', () => {
    const policy = zone({
      name: 'B\u00fccher.Example',
      operations: [operation('op', { host: 'b\u00fccher.example' })],
    })
    const decision = gateOf(policy).decide(ask({ host: 'xn--bcher-kva.example', target: '/op' }))
    expect(decision.challenge).toBe('Bearer realm="xn--bcher-kva.example"')
  })
})

describe('validity', () => {
  const at = (claims: object) => bearer(tokenOf(ES, claims))
  test.each<[string, readonly [string, string], string]>([
    ['an exp in the future', at({ exp: NOW_SECONDS + 1 }), 'valid'],
    ['an exp 59 seconds ago', at({ exp: NOW_SECONDS - 59 }), 'valid'],
    ['an exp 60 seconds ago', at({ exp: NOW_SECONDS - 60 }), 'expired'],
    ['an exp 59.5 seconds ago', at({ exp: NOW_SECONDS - 59.5 }), 'valid'],
    ['an nbf in 60 seconds', at({ nbf: NOW_SECONDS + 60 }), 'valid'],
    ['an nbf in 61 seconds', at({ nbf: NOW_SECONDS + 61 }), 'not_yet_valid'],
    ['an exp that is text', at({ exp: `${NOW_SECONDS + 60}` }), 'bad_claims'],
    ['an nbf that is null', at({ nbf: null }), 'bad_claims'],
    ['no exp', at({}), 'valid'],
    [
      'an iat in the future, any iss and aud',
      at({ iat: NOW_SECONDS + 9999, iss: 1, aud: {} }),
      'valid',
    ],
    ['alg none', bearer(`${encode({ alg: 'none', kid: 'es' })}.e30.`), 'alg_not_allowed'],
    ['no alg', bearer(makeToken(ES, { header: { alg: undefined } })), 'alg_not_allowed'],
    ['no kid', bearer(makeToken(ES, { header: { kid: undefined } })), 'unknown_key'],
    ['a kid that is a number', bearer(makeToken(ES, { header: { kid: 1 } })), 'unknown_key'],
    ['a critical header', bearer(makeToken(ES, { header: { crit: ['exp'] } })), 'critical_header'],
    [
      'a header member twice',
      bearer(makeToken(ES, { header: '{"alg":"ES256","kid":"es","kid":"es"}' })),
      'malformed',
    ],
    [
      'a claim twice',
      bearer(makeToken(ES, { payload: '{"exp":1,"exp":9999999999}' })),
      'bad_claims',
    ],
    ['five parts', bearer(`${VALID}.AA.AA`), 'malformed'],
    ['two parts', bearer(VALID.slice(0, VALID.lastIndexOf('.'))), 'malformed'],
    ['padding', bearer(`${VALID}==`), 'malformed'],
    ['a payload that is an array', at([]), 'bad_claims'],
    ['a kid of nobody', bearer(tokenOf(makeKey('ES256', 'nobody'))), 'unknown_key'],
    ['a kid __proto__', bearer(tokenOf(makeKey('ES256', '__proto__'))), 'unknown_key'],
    ['a kid constructor', bearer(tokenOf(makeKey('ES256', 'constructor'))), 'unknown_key'],
    ['a kid under another alg', bearer(tokenOf(makeKey('HS256', 'es'))), 'alg_not_allowed'],
  ])('of a token with %s: %s', (_what, line, reason) => {
    const { configurations } = gateOf(zone()).decide(ask({ lines: [line] }))
    expect(configurations).toMatchObject([{ reason, valid: reason === 'valid', present: true }])
  })

  test('a valid token names its key', () => {
    const { configurations } = gateOf(zone()).decide(ask({ lines: [bearer(VALID)] }))
    expect(configurations[0]?.key).toEqual({ alg: 'ES256', kid: 'es' })
  })

  test.each(['__proto__', 'constructor', 'hasOwnProperty'])(
    'nothing is special about %s as the id of anything',
    (name) => {
      const policy = zone({
        id: name,
        token_configurations: [configuration(name, [makeKey('ES256', name)])],
        operations: [operation(name)],
        rules: [rule(name, { expression: `is_jwt_valid("${name}")` })],
      })
      const token = tokenOf(makeKey('ES256', name))
      expect(
        gateOf(policy).decide(ask({ target: `/${name}`, lines: [bearer(token)] })),
      ).toMatchObject({
        zone: name,
        operation: name,
        rule: name,
        reason: 'no_valid_token',
        configurations: [{ id: name, reason: 'bad_signature' }],
      })
    },
  )
})

test('a decision as JSON has these members, and neither token nor claim', () => {
  const decision = gateOf(zone()).decide(ask({ lines: [bearer(VALID)] }))
  expect(JSON.parse(JSON.stringify(decision))).toEqual({
    action: 'pass',
    reason: 'satisfied',
    zone: 'zone',
    operation: 'op',
    rule: 'rule',
    configurations: [
      {
        id: 'A',
        present: true,
        valid: true,
        reason: 'valid',
        source_index: 0,
        key: { alg: 'ES256', kid: 'es' },
      },
    ],
    failure: null,
    status: null,
    error_code: null,
    epoch: 1,
  })
})

test('the clock is read once for a request', () => {
  let readings = 0
  const gate = gateOf(judging('is_jwt_valid("A") or is_jwt_valid("B")'), {
    now: () => 1_700_000_000_000 + readings++,
  })
  gate.decide(ask({ lines: [bearer(VALID), ['X-B', tokenOf(HS)]] }))
  expect(readings).toBe(1)
})
