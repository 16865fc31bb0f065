import { describe, expect, test } from 'vitest'
import {
  createGate,
  PolicyError,
  type PolicyIssue,
  type TokenValidationRule,
  type Zone,
} from '../../../src/edge/index.js'
import { makeKey } from '../token/keys.js'
import {
  ask,
  AUTHORIZATION,
  configuration,
  gateOf,
  judging,
  RULE,
  SESSION,
  zone,
} from './zone-fixture.js'

function issuesOf(policy: unknown): readonly PolicyIssue[] {
  try {
    gateOf(policy)
  } catch (error) {
    expect(error).toBeInstanceOf(PolicyError)
    return (error as PolicyError).issues
  }
  return []
}

const [A] = zone().token_configurations as [ReturnType<typeof configuration>]
const [OPERATION] = zone().operations as [NonNullable<Zone['operations']>[number]]
const configured = (parts: object) => zone({ token_configurations: [{ ...A, ...parts }] })
const operated = (parts: object) => zone({ operations: [{ ...OPERATION, ...parts }] })
const ruled = (parts: object) => zone({ rules: [{ ...RULE, ...parts }] })
const settled = (settings: object) => zone({ settings })
const without = (value: object, name: string) =>
  Object.fromEntries(Object.entries(value).filter(([each]) => each !== name))
const claimHeader = { header: 'X-User', configuration_id: 'A', claim: 'sub' }
const many = <Item>(count: number, make: (at: number) => Item) =>
  Array.from({ length: count }, (_, at) => make(at))

describe('a policy is refused', () => {
  test.each<[string, unknown, string, string]>([
    ['that is null', null, 'wrong_type', ''],
    ['that is a list', [], 'wrong_type', ''],
    ['that is text', 'zone', 'wrong_type', ''],
    ['without an id', without(zone(), 'id'), 'missing_member', ''],
    ['whose id is undefined', { ...zone(), id: undefined }, 'missing_member', ''],
    ['whose id is a number', { ...zone(), id: 7 }, 'wrong_type', '/id'],
    ['whose id is empty', { ...zone(), id: '' }, 'wrong_size', '/id'],
    ['without a name', without(zone(), 'name'), 'missing_member', ''],
    [
      'whose name is no host',
      { ...zone({ operations: [] }), name: 'no host' },
      'bad_host',
      '/name',
    ],
    [
      'whose name has a variable',
      { ...zone({ operations: [] }), name: '{x}.example.com' },
      'bad_host',
      '/name',
    ],
    ['without zones', { zones: [] }, 'wrong_size', '/zones'],
    ['whose zones are one', { zones: zone() }, 'wrong_type', '/zones'],
    [
      'with two zones of one name',
      { zones: [zone(), zone({ id: 'b', name: 'EXAMPLE.com.' })] },
      'duplicate_name',
      '/zones/1/name',
    ],
    [
      'with two zones of one id',
      { zones: [zone(), zone({ name: 'example.org', operations: [] })] },
      'duplicate_id',
      '/zones/1/id',
    ],
    [
      'with a fault in the second zone',
      { zones: [zone(), { ...zone(), rules: 1 }] },
      'wrong_type',
      '/zones/1/rules',
    ],

    [
      'whose configurations are an object',
      { ...zone(), token_configurations: {} },
      'wrong_type',
      '/token_configurations',
    ],
    [
      'with a configuration without id',
      zone({ token_configurations: [without(A, 'id') as never] }),
      'missing_member',
      '/token_configurations/0',
    ],
    [
      'with a configuration that is null',
      { ...zone(), token_configurations: [null] },
      'wrong_type',
      '/token_configurations/0',
    ],
    [
      'with two configurations of one id',
      zone({ token_configurations: [A, A] }),
      'duplicate_id',
      '/token_configurations/1/id',
    ],
    [
      'with an unknown token type',
      configured({ token_type: 'PASETO' }),
      'not_allowed',
      '/token_configurations/0/token_type',
    ],
    [
      'without sources',
      configured({ token_sources: [] }),
      'wrong_size',
      '/token_configurations/0/token_sources',
    ],
    [
      'with the same source twice',
      configured({ token_sources: [AUTHORIZATION, 'http.request.headers["Authorization"][0]'] }),
      'duplicate_source',
      '/token_configurations/0/token_sources/1',
    ],
    [
      'with a source at another index',
      configured({ token_sources: ['http.request.headers["a"][1]'] }),
      'bad_source',
      '/token_configurations/0/token_sources/0',
    ],
    [
      'with a source in the query',
      configured({ token_sources: ['http.request.uri.args["a"][0]'] }),
      'bad_source',
      '/token_configurations/0/token_sources/0',
    ],
    [
      'with a source in no header name',
      configured({ token_sources: ['http.request.headers["a b"][0]'] }),
      'bad_source',
      '/token_configurations/0/token_sources/0',
    ],
    [
      'with a source that is no expression',
      configured({ token_sources: [SESSION, 'token'] }),
      'bad_source',
      '/token_configurations/0/token_sources/1',
    ],
    [
      'without keys',
      configured({ credentials: {} }),
      'missing_member',
      '/token_configurations/0/credentials',
    ],
    [
      'with no keys',
      configured({ credentials: { keys: [] } }),
      'no_keys',
      '/token_configurations/0/credentials/keys',
    ],
    [
      'with keys that are no list',
      configured({ credentials: { keys: {} } }),
      'invalid_keys',
      '/token_configurations/0/credentials/keys',
    ],
    [
      'with a key that is none',
      configured({ credentials: { keys: [1] } }),
      'invalid_key',
      '/token_configurations/0/credentials/keys/0',
    ],
    [
      'with a weak secret',
      configured({ credentials: { keys: [{ kty: 'oct', alg: 'HS256', kid: 'a', k: 'AAAA' }] } }),
      'weak_key',
      '/token_configurations/0/credentials/keys/0/k',
    ],

    [
      'with an operation without method',
      zone({ operations: [without(OPERATION, 'method') as never] }),
      'missing_member',
      '/operations/0',
    ],
    [
      'with an unknown method',
      operated({ method: 'FETCH' }),
      'not_allowed',
      '/operations/0/method',
    ],
    [
      'with a method __proto__',
      operated({ method: '__proto__' }),
      'not_allowed',
      '/operations/0/method',
    ],
    [
      'with an operation on no host',
      operated({ host: 'api example.com' }),
      'bad_host',
      '/operations/0/host',
    ],
    [
      'with a variable inside a label',
      operated({ host: 'foo-{x}.example.com' }),
      'bad_host',
      '/operations/0/host',
    ],
    [
      'with an operation on a foreign host',
      operated({ host: 'api.example.org' }),
      'foreign_host',
      '/operations/0/host',
    ],
    [
      'with an operation on a host that only ends alike',
      operated({ host: 'evilexample.com' }),
      'foreign_host',
      '/operations/0/host',
    ],
    [
      'with an endpoint without a slash',
      operated({ endpoint: 'users' }),
      'bad_endpoint',
      '/operations/0/endpoint',
    ],
    [
      'with a variable inside a segment',
      operated({ endpoint: '/users/{id}.json' }),
      'bad_endpoint',
      '/operations/0/endpoint',
    ],
    [
      'with a query in an endpoint',
      operated({ endpoint: '/users?a' }),
      'bad_endpoint',
      '/operations/0/endpoint',
    ],
    [
      'with two operations of one id',
      zone({ operations: [OPERATION, { ...OPERATION, endpoint: '/x' }] }),
      'duplicate_id',
      '/operations/1/operation_id',
    ],

    [
      'with a rule without expression',
      zone({ rules: [without(RULE, 'expression') as never] }),
      'missing_member',
      '/rules/0',
    ],
    ['with an unknown action', ruled({ action: 'allow' }), 'not_allowed', '/rules/0/action'],
    ['with enabled as text', ruled({ enabled: 'true' }), 'not_allowed', '/rules/0/enabled'],
    ['with two rules of one id', zone({ rules: [RULE, RULE] }), 'duplicate_id', '/rules/1/id'],
    [
      'with a rule of another one\u2019s default id',
      zone({ rules: [{ ...RULE, id: 'rule-2' }, without(RULE, 'id') as TokenValidationRule] }),
      'duplicate_id',
      '/rules/1/id',
    ],
    ['with a selector that is a list', ruled({ selector: [] }), 'wrong_type', '/rules/0/selector'],
    [
      'with an include that is text',
      ruled({ selector: { include: 'api.example.com' } }),
      'wrong_type',
      '/rules/0/selector/include',
    ],
    [
      'with a host that is a number',
      ruled({ selector: { include: [{ host: 7 }] } }),
      'wrong_type',
      '/rules/0/selector/include/0/host',
    ],
    [
      'with a list of hosts that holds null',
      ruled({ selector: { include: [{ host: [null] }] } }),
      'wrong_type',
      '/rules/0/selector/include/0/host/0',
    ],
    [
      'with a host that is none',
      ruled({ selector: { include: [{ host: 'api.example.com' }, { host: ['a b'] }] } }),
      'bad_host',
      '/rules/0/selector/include/1/host',
    ],
    [
      'with excluded ids as text',
      ruled({ selector: { exclude: [{ operation_ids: 'op' }] } }),
      'wrong_type',
      '/rules/0/selector/exclude/0/operation_ids',
    ],

    [
      'with an unknown block_status',
      settled({ block_status: 404 }),
      'not_allowed',
      '/settings/block_status',
    ],
    [
      'with an unknown value for unlisted operations',
      settled({ unlisted_operations: 'block' }),
      'not_allowed',
      '/settings/unlisted_operations',
    ],
    [
      'with an unknown value for ambiguous tokens',
      settled({ ambiguous_tokens: 'all' }),
      'not_allowed',
      '/settings/ambiguous_tokens',
    ],
    ['with settings that are null', settled(null as never), 'wrong_type', '/settings'],
    [
      'with a claim header that is none',
      settled({ claim_headers: [{ ...claimHeader, header: 'X User' }] }),
      'bad_header',
      '/settings/claim_headers/0/header',
    ],
    [
      'with a claim header that ends a line',
      settled({ claim_headers: [{ ...claimHeader, header: 'X\r\nY' }] }),
      'bad_header',
      '/settings/claim_headers/0/header',
    ],
    [
      'with a claim header that frames the message',
      settled({ claim_headers: [{ ...claimHeader, header: 'Content-Length' }] }),
      'bad_header',
      '/settings/claim_headers/0/header',
    ],
    [
      'with a claim header that routes the message',
      settled({ claim_headers: [{ ...claimHeader, header: 'HOST' }] }),
      'bad_header',
      '/settings/claim_headers/0/header',
    ],
    [
      'with a claim header of nobody',
      settled({ claim_headers: [{ ...claimHeader, configuration_id: 'B' }] }),
      'unknown_configuration',
      '/settings/claim_headers/0/configuration_id',
    ],
    [
      'with a claim header of __proto__',
      settled({ claim_headers: [{ ...claimHeader, configuration_id: '__proto__' }] }),
      'unknown_configuration',
      '/settings/claim_headers/0/configuration_id',
    ],
    [
      'with an empty claim path',
      settled({ claim_headers: [{ ...claimHeader, claim: [] }] }),
      'wrong_size',
      '/settings/claim_headers/0/claim',
    ],

    ['with lists that are a list', { ...zone(), lists: [] }, 'wrong_type', '/lists'],
    [
      'with named lists that are null',
      { ...zone(), lists: { Ip: null } },
      'wrong_type',
      '/lists/Ip',
    ],
    [
      'with a named list that is text',
      { ...zone(), lists: { Ip: { 'a/b': '192.0.2.1' } } },
      'wrong_type',
      '/lists/Ip/a~1b',
    ],
    [
      'with an address in a list that is none',
      { ...ruled({ expression: 'ip.src in $office' }), lists: { Ip: { office: ['192.0.2'] } } },
      'bad_list',
      '/rules/0/expression',
    ],
  ])('%s', (_what, policy, code, pointer) => {
    expect(issuesOf(policy)).toContainEqual(expect.objectContaining({ code, pointer }))
  })

  test('for every fault at once', () => {
    const policy = zone({
      token_configurations: [
        { ...A, credentials: { keys: [] } },
        configuration('A', undefined, ['x']),
      ],
      operations: [
        { ...OPERATION, host: 'a b' },
        { ...OPERATION, endpoint: 'x' },
      ],
      rules: [
        { ...RULE, expression: '' },
        { ...RULE, id: 'b', expression: 'nope' },
      ],
    })
    expect(issuesOf(policy).map(({ pointer }) => pointer)).toEqual([
      '/token_configurations/0/credentials/keys',
      '/token_configurations/1/id',
      '/token_configurations/1/token_sources/0',
      '/rules/0/expression',
      '/rules/1/expression',
      '/operations/0/host',
      '/operations/1/operation_id',
      '/operations/1/endpoint',
    ])
  })

  test('with a message that says where, what and how many', () => {
    const policy = { ...zone({ rules: [] }), id: 7, name: 7 }
    expect(() => gateOf(policy)).toThrow(/^\/id: expected a string \(and 1 more\)$/)
  })
})

describe('an expression that is none', () => {
  test.each([
    ['is_jwt_valid("A") and', 'unexpected_input', 1, 19],
    ['is_jwt_valid("C")', 'unknown_configuration', 1, 14],
    ['is_jwt_valid("__proto__")', 'unknown_configuration', 1, 14],
    ['true and\n  nope eq "1"', 'unknown_field', 2, 3],
    ['constructor eq "1"', 'unknown_field', 1, 1],
    ['hasOwnProperty("1")', 'unknown_function', 1, 1],
    ['http.host', 'type_mismatch', 1, 1],
    ['ip.src in $office', 'unknown_list', 1, 11],
    [`http.host eq "${'a'.repeat(4096)}"`, 'wrong_size', undefined, undefined],
  ])('%j has code %s at line %s, column %s', (expression, code, line, column) => {
    const [issue, ...more] = issuesOf(judging(expression))
    expect(more).toEqual([])
    expect(issue?.pointer).toBe('/rules/0/expression')
    expect(issue?.code).toBe(code)
    if (line === undefined) return
    expect(issue).toMatchObject({ line, column })
    const [, source, carets] = (issue?.frame ?? '').split('\n')
    expect(expression.split('\n')[line - 1]).toBe(source)
    expect(carets?.indexOf('^')).toBe(column - 1)
  })

  test('of a token source has its place too', () => {
    expect(issuesOf(configured({ token_sources: ['http.request.headers["a"]'] }))[0]).toMatchObject(
      {
        code: 'bad_source',
        line: 1,
        column: expect.any(Number),
        frame: expect.stringContaining('^'),
      },
    )
  })
})

describe('limits', () => {
  const keys = (count: number) => many(count, (at) => makeKey('HS256', `k${at}`).jwk)
  const sources = (count: number) => many(count, (at) => `http.request.headers["x-${at}"][0]`)
  test.each<[string, number, string, (size: number) => unknown]>([
    [
      'configurations in a zone',
      32,
      'wrong_size',
      (size) =>
        zone({
          token_configurations: many(size, (at) => configuration(at === 0 ? 'A' : `c${at}`)),
        }),
    ],
    [
      'keys in a configuration',
      16,
      'too_many_keys',
      (size) => configured({ credentials: { keys: keys(size) } }),
    ],
    [
      'sources in a configuration',
      4,
      'wrong_size',
      (size) => configured({ token_sources: sources(size) }),
    ],
    [
      'characters in the title of a configuration',
      50,
      'wrong_size',
      (size) => configured({ title: '\ud83d\ude00'.repeat(size) }),
    ],
    [
      'characters in the description of a configuration',
      500,
      'wrong_size',
      (size) => configured({ description: 'a'.repeat(size) }),
    ],
    [
      'characters in the title of a rule',
      50,
      'wrong_size',
      (size) => ruled({ title: '\u00e9'.repeat(size) }),
    ],
    [
      'characters in the description of a rule',
      500,
      'wrong_size',
      (size) => ruled({ description: '\ud83d\ude00'.repeat(size) }),
    ],
    [
      'characters in an endpoint',
      4096,
      'wrong_size',
      (size) => operated({ endpoint: `/${'a'.repeat(size - 1)}` }),
    ],
    [
      'characters in an expression',
      4096,
      'wrong_size',
      (size) => ruled({ expression: `true${' '.repeat(size - 4)}` }),
    ],
    [
      'characters in an id',
      64,
      'wrong_size',
      (size) => operated({ operation_id: 'a'.repeat(size) }),
    ],
    [
      'names in the path of a claim',
      16,
      'wrong_size',
      (size) => settled({ claim_headers: [{ ...claimHeader, claim: many(size, String) }] }),
    ],
  ])('of %s is %i', (_what, limit, code, policy) => {
    expect(issuesOf(policy(limit))).toEqual([])
    expect(issuesOf(policy(limit + 1))).toMatchObject([{ code }])
  })
})

describe('a policy is accepted', () => {
  test.each<[string, unknown]>([
    ['that is a bare zone', { id: 'z', name: 'example.com' }],
    [
      'with every member of the API',
      {
        ...configured({
          title: 'A',
          description: 'd',
          token_type: 'jwt',
          created_at: 'x',
          last_updated: 'y',
        }),
        version: 1,
        account: { id: 'a' },
        upstream: 'http://127.0.0.1:9000',
      },
    ],
    ['whose operations have time stamps', operated({ last_updated: 'x' })],
    [
      'whose rules have time stamps',
      ruled({ created_at: 'x', last_updated: 'y', modified_by: 'z', description: 'd' }),
    ],
    [
      'with named lists',
      {
        ...ruled({ expression: 'ip.src in $office or http.host in $hosts' }),
        lists: {
          Ip: { office: ['192.0.2.0/24', '2001:db8::1'] },
          Bytes: { hosts: ['a'] },
          Int: { even: [2, '4..6'] },
        },
      },
    ],
    ['with operations on a variable host', operated({ host: '{x}.example.com' })],
    ['with operations on the name of the zone', operated({ host: 'EXAMPLE.COM' })],
    ['in several zones', { zones: [zone()], version: 7 }],
    ['with members set to undefined', { ...zone(), upstream: undefined, settings: undefined }],
  ])('%s', (_what, policy) => {
    expect(issuesOf(policy)).toEqual([])
    expect(createGate(policy, { now: () => 0 }).notices).toEqual([])
  })

  test('whose settings are undefined, and has their defaults', () => {
    const settings = {
      unlisted_operations: undefined,
      block_status: undefined,
      ambiguous_tokens: undefined,
      merge_slashes: undefined,
      nil_not_equal: undefined,
      claim_headers: undefined,
      strip_tokens: undefined,
    }
    expect(gateOf(settled(settings)).decide(ask())).toEqual(gateOf(zone()).decide(ask()))
  })

  test('after a round trip through JSON', () => {
    expect(issuesOf(JSON.parse(JSON.stringify(zone())))).toEqual([])
  })

  test.each<[string, unknown, string, string]>([
    ['a member without meaning', { ...zone(), colour: 'red' }, 'unknown_member', '/colour'],
    [
      'a member of the name __proto__',
      JSON.parse('{"id":"z","name":"example.com","__proto__":{"rules":1}}'),
      'unknown_member',
      '/__proto__',
    ],
    ['a member with a slash', { ...zone(), 'a/b~c': 1 }, 'unknown_member', '/a~1b~0c'],
    [
      'a header in capitals',
      configured({ token_sources: ['http.request.headers["Authorization"][0]'] }),
      'upper_case_header',
      '/token_configurations/0/token_sources/0',
    ],
    [
      'an include that covers nothing',
      ruled({ selector: { include: [] } }),
      'covers_nothing',
      '/rules/0/selector/include',
    ],
    [
      'an include that names no host',
      ruled({ selector: { include: [{ host: [] }] } }),
      'covers_nothing',
      '/rules/0/selector/include',
    ],
    [
      'an operation that an older one hides',
      zone({
        operations: [OPERATION, { ...OPERATION, operation_id: 'b', endpoint: '/users/{name}' }],
      }),
      'unreachable_operation',
      '/operations/1',
    ],
    [
      'what the compiler of expressions warns of',
      ruled({ expression: 'http.host in {}' }),
      'empty_set',
      '/rules/0/expression',
    ],
    [
      'a key whose alg is left out',
      configured({ credentials: { keys: [without(makeKey('RS256', 'r').jwk, 'alg')] } }),
      '110003',
      '/token_configurations/0/credentials/keys/0/alg',
    ],
  ])('with a notice of %s', (_what, policy, code, pointer) => {
    expect(gateOf(policy).notices).toContainEqual(expect.objectContaining({ code, pointer }))
  })
})
