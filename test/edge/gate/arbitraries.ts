import fc from 'fast-check'
import type {
  GateRequest,
  TokenValidationRule,
  Zone,
  ZoneSettings,
} from '../../../src/edge/index.js'
import {
  ask,
  AUTHORIZATION,
  configuration,
  ES,
  FORGED,
  HS,
  NOW_SECONDS,
  SESSION,
  STRANGER,
  tokenOf,
  VALID,
} from './zone-fixture.js'

export const OPERATION_IDS = ['users', 'user', 'orders'] as const

const OPERATIONS = [
  { operation_id: 'users', method: 'GET', host: 'api.example.com', endpoint: '/users' },
  { operation_id: 'user', method: 'GET', host: 'api.example.com', endpoint: '/users/{id}' },
  { operation_id: 'orders', method: 'POST', host: '{shop}.example.com', endpoint: '/orders' },
]

const HOSTS = ['api.example.com', '{shop}.example.com', 'www.example.com'] as const

/** Every state that a token can be in, besides absent. */
const TOKENS = [
  VALID,
  FORGED,
  tokenOf(HS),
  tokenOf(HS, { sub: 'bob', exp: NOW_SECONDS + 10 }),
  tokenOf(ES, { exp: NOW_SECONDS - 61 }),
  tokenOf(ES, { nbf: NOW_SECONDS + 61 }),
  tokenOf(ES, { exp: 'x' }),
  'garbage',
  `${VALID}=`,
]

const EXPRESSIONS = [
  'is_jwt_valid("A")',
  'is_jwt_present("A")',
  'is_jwt_valid("B")',
  'is_jwt_valid("A") or is_jwt_valid("B")',
  'is_jwt_valid("A") and is_jwt_valid("B")',
  'is_jwt_valid("A") or not is_jwt_present("A")',
  'is_jwt_valid("A") and any(http.request.jwt.claims.sub["A"][*] eq "alice")',
  'any(http.request.jwt.claims.sub.values[*] eq "bob")',
  'is_jwt_valid("A") or http.request.method eq "POST"',
  'any(http.request.headers["x-api"][*] eq "1")',
  'true',
  'false',
]

export const rules: fc.Arbitrary<readonly TokenValidationRule[]> = fc
  .array(
    fc.record({
      action: fc.constantFrom('log' as const, 'block' as const),
      expression: fc.constantFrom(...EXPRESSIONS),
      enabled: fc.boolean(),
      selector: fc.record({
        include: fc.option(
          fc.array(fc.record({ host: fc.constantFrom(...HOSTS) }), { maxLength: 2 }),
        ),
        exclude: fc.array(
          fc.record({ operation_ids: fc.subarray([...OPERATION_IDS], { maxLength: 2 }) }),
          { maxLength: 1 },
        ),
      }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) => all.map((rule, at) => ({ id: `rule-${at}`, ...rule })))

type BlockStatus = NonNullable<ZoneSettings['block_status']>

export const zones: fc.Arbitrary<Zone> = fc.record({
  id: fc.constant('zone'),
  name: fc.constant('example.com'),
  settings: fc.record({
    unlisted_operations: fc.constantFrom('pass', 'cover'),
    block_status: fc.constantFrom<BlockStatus>('auto', 401, 403),
    ambiguous_tokens: fc.constantFrom('first', 'reject'),
  }),
  token_configurations: fc.constant([
    configuration('A', [ES], [AUTHORIZATION, SESSION]),
    configuration('B', [HS, STRANGER], ['http.request.headers["x-b"][0]', AUTHORIZATION]),
  ]),
  operations: fc.constant(OPERATIONS),
  rules,
})

const token = fc.constantFrom(...TOKENS)
const line = fc.oneof(
  token.map((text) => ['Authorization', `Bearer ${text}`] as const),
  token.map((text) => ['authorization', text] as const),
  token.map((text) => ['X-B', text] as const),
  token.map((text) => ['Cookie', `a=b; session=${text}`] as const),
  fc.constantFrom(['X-Api', '1'] as const, ['X-Other', 'x'] as const, ['Cookie', 'a=b'] as const),
)

export const requests: fc.Arbitrary<GateRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'POST', 'OPTIONS', 'get'),
    host: fc.constantFrom(
      'api.example.com',
      'API.example.com:80',
      'shop.example.com',
      'www.example.com',
      'example.org',
    ),
    target: fc.constantFrom(
      '/users',
      '/users/42',
      '/users//42',
      '/orders',
      '/orders?a=b',
      '/x/../users',
      '/else',
      '*',
    ),
    lines: fc.array(line, { maxLength: 4 }),
  })
  .map(ask)

export const decisions: fc.Arbitrary<{ readonly policy: Zone; readonly request: GateRequest }> =
  fc.record({ policy: zones, request: requests })
