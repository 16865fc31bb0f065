import { describe, expect, test } from 'vitest'
import { headerEdits } from '../../../src/edge/embed/index.js'
import { createGate, type GateRequest, type ZoneSettings } from '../../../src/edge/index.js'
import type { CryptoBackend } from '../../../src/edge/token/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { ask, bearer, gateOf, judging, NOW, tokenOf, HS, VALID } from './zone-fixture.js'

/** Cryptography that cannot tell. */
const broken: CryptoBackend<boolean> = {
  ...nodeCrypto(),
  verify() {
    throw new Error('no cryptography today')
  },
}
const rejecting: CryptoBackend<Promise<boolean>> = {
  ...nodeCrypto(),
  verify: () => Promise.reject(new Error('no cryptography today')),
}

const policyOf = (action: 'log' | 'block', expression: string, settings: ZoneSettings = {}) =>
  judging(expression, { rules: [{ id: 'rule', action, expression }], settings })

describe.each<[string, CryptoBackend]>([
  ['throws', broken],
  ['rejects', rejecting],
])('with cryptography that %s', (_how, crypto) => {
  const decide = (policy: unknown, request: GateRequest) =>
    createGate(policy, { crypto, now: () => NOW }).decide(request)

  test('a block rule fails closed and says so', async () => {
    const decision = await decide(
      policyOf('block', 'is_jwt_valid("A")'),
      ask({ lines: [bearer(VALID)] }),
    )
    expect(decision).toMatchObject({
      action: 'block',
      reason: 'internal_error',
      failure: 'closed',
      rule: 'rule',
      status: 500,
      error_code: 500,
      challenge: null,
      configurations: [{ reason: 'unavailable', present: true, valid: false }],
    })
  })

  test('a log rule fails open and says so', async () => {
    const decision = await decide(
      policyOf('log', 'is_jwt_valid("A")'),
      ask({ lines: [bearer(VALID)] }),
    )
    expect(decision).toMatchObject({
      action: 'log',
      reason: 'internal_error',
      failure: 'open',
      status: null,
      error_code: null,
    })
  })

  test('block_status does not change what an internal error is', async () => {
    const policy = policyOf('block', 'is_jwt_valid("A")', { block_status: 401 })
    expect(await decide(policy, ask({ lines: [bearer(VALID)] }))).toMatchObject({
      status: 500,
      challenge: null,
    })
  })

  test.each<[string, string, readonly (readonly [string, string])[], string]>([
    ['a request without a token is no error', 'is_jwt_valid("A")', [], 'no_valid_token'],
    [
      'garbage is no error, since it is never verified',
      'is_jwt_valid("A")',
      [bearer('x')],
      'no_valid_token',
    ],
    [
      'an expression that holds anyhow is no error',
      'is_jwt_present("A")',
      [bearer(VALID)],
      'satisfied',
    ],
    [
      'a ban that could not be checked is an error',
      'not is_jwt_valid("A")',
      [bearer(VALID)],
      'internal_error',
    ],
    [
      'an expression that holds either way is no error',
      'is_jwt_valid("A") or not is_jwt_valid("A")',
      [bearer(VALID)],
      'satisfied',
    ],
    [
      'claims that could not be checked are missing',
      'any(http.request.jwt.claims.sub["A"][*] eq "alice")',
      [bearer(VALID)],
      'internal_error',
    ],
    [
      'a ban by claims that could not be checked is an error',
      'not any(http.request.jwt.claims.sub["A"][*] eq "alice")',
      [bearer(VALID)],
      'internal_error',
    ],
    [
      'so is one by the text of the claims',
      'not lookup_json_string(http.request.jwt.claims["A"][0], "sub") eq "alice"',
      [bearer(VALID)],
      'internal_error',
    ],
    [
      'a ban by claims that the token does not make is no error',
      'not any(http.request.jwt.claims.sub["A"][*] eq "mallory")',
      [bearer(VALID)],
      'satisfied',
    ],
    [
      'one unavailable of two that are needed is an error',
      'is_jwt_valid("A") and is_jwt_valid("B")',
      [bearer(VALID)],
      'internal_error',
    ],
    [
      'both unavailable is one',
      'is_jwt_valid("A") or is_jwt_valid("B")',
      [bearer(VALID), ['X-B', tokenOf(HS)]],
      'internal_error',
    ],
  ])('%s', async (_what, expression, lines, reason) => {
    expect((await decide(policyOf('block', expression), ask({ lines }))).reason).toBe(reason)
  })
})

describe('a request whose headers cannot be read while the expression runs', () => {
  const request: GateRequest = {
    ...ask(),
    headers() {
      throw new Error('the connection is gone')
    },
  }
  const expression = 'any(http.request.headers["x"][*] eq "1")'

  test('is blocked by a block rule', () => {
    expect(gateOf(policyOf('block', expression)).decide(request)).toMatchObject({
      action: 'block',
      reason: 'internal_error',
      failure: 'closed',
      status: 500,
    })
  })

  test('passes a log rule', () => {
    expect(gateOf(policyOf('log', expression)).decide(request)).toMatchObject({
      action: 'log',
      reason: 'internal_error',
      failure: 'open',
    })
  })

  test('is explained as far as it was judged', () => {
    expect(gateOf(policyOf('block', expression)).explain(request)).toMatchObject({
      rules: [{ why: 'decides' }],
      expression: { source: expression, steps: [] },
      decision: { action: 'block', reason: 'internal_error' },
    })
  })
})

describe.each<[string, () => unknown]>([
  [
    'breaks',
    () => {
      throw new Error('the connection is gone')
    },
  ],
  ['gives a list', () => ['Bearer x']],
  ['gives a number', () => 5],
])('a request whose header() %s while a token is looked for', (_how, header) => {
  const request = { ...ask(), header } as unknown as GateRequest

  test('is blocked by a block rule', () => {
    expect(gateOf(policyOf('block', 'true or is_jwt_valid("A")')).decide(request)).toMatchObject({
      action: 'block',
      reason: 'internal_error',
      failure: 'closed',
      status: 500,
      rule: 'rule',
      configurations: [],
    })
  })

  test('passes a log rule', () => {
    expect(gateOf(policyOf('log', 'is_jwt_valid("A")')).decide(request)).toMatchObject({
      action: 'log',
      reason: 'internal_error',
      failure: 'open',
      status: null,
    })
  })

  test('is explained as far as it was judged', () => {
    expect(gateOf(policyOf('block', 'is_jwt_valid("A")')).explain(request)).toMatchObject({
      rules: [{ why: 'decides' }],
      configurations: [],
      expression: null,
      decision: { action: 'block', reason: 'internal_error' },
    })
  })
})

test('a header of which null is given is missing', () => {
  const request = { ...ask(), header: () => null } as unknown as GateRequest
  const decide = (expression: string) =>
    gateOf(policyOf('block', expression, { strip_tokens: true })).decide(request)
  for (const expression of ['http.user_agent ne "x"', 'http.user_agent contains ""'])
    expect(decide(expression).reason).toBe('expression_failed')
  const passed = decide('is_jwt_valid("A") or not is_jwt_present("A")')
  expect(passed).toMatchObject({ action: 'pass', reason: 'satisfied' })
  expect(headerEdits(passed)).toEqual({ remove: ['authorization'], set: [], cookie: undefined })
})
