import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createGate, type GateRequest } from '../../src/edge/index.js'
import { nodeCrypto } from '../../src/node/crypto.js'
import { keyFor, makeToken } from '../edge/token/keys.js'
import { createZoneStage, ZONE, type Answer, type Item, type Stage } from './stage.js'

const PATH = `/zones/${ZONE}/token_validation/rules`
const CONFIG = `/zones/${ZONE}/token_validation/config`
const OPERATIONS = `/zones/${ZONE}/api_gateway/operations`
const NOW = '2026-01-31T12:00:00.000000Z'

let stage: Stage
/** Two configurations. */
let a: string
let b: string

beforeAll(async () => {
  stage = await createZoneStage()
  const make = async (title: string) => {
    const { json } = await stage.call('POST', CONFIG, {
      title,
      description: '',
      token_type: 'jwt',
      token_sources: ['http.request.headers["authorization"][0]'],
      credentials: { keys: [keyFor('ES256').jwk, keyFor('HS256').jwk] },
    })
    return String(json.result['id'])
  }
  a = await make('A')
  b = await make('B')
})
afterAll(() => stage.close())
beforeEach(async () => {
  for (const table of ['rules', 'rule_hosts', 'rule_configurations', 'operations'] as const)
    await stage.db.deleteFrom(table).execute()
})

const rule = (changes: object = {}) => ({
  title: 'Shop',
  description: 'Who buys is a customer',
  action: 'block',
  enabled: true,
  expression: `is_jwt_valid("${a}")`,
  selector: {},
  ...changes,
})
const create = (changes: object = {}): Promise<Answer> => stage.call('POST', PATH, rule(changes))
const idOf = ({ json }: Answer): string => String(json.result['id'])
const pointers = ({ json }: Answer) => json.errors.map(({ source }) => source?.pointer)
const codes = ({ json }: Answer) => json.messages.map(({ code }) => code)
async function operations(...all: readonly string[]): Promise<string[]> {
  const body = all.map((text) => {
    const [method, host, endpoint] = text.split(' ')
    return { method, host, endpoint }
  })
  const { json } = await stage.call('POST', OPERATIONS, body)
  return json.list.map(({ operation_id }) => String(operation_id))
}

describe('an expression', () => {
  test('it is compiled again when it is changed', async () => {
    const id = idOf(await create())
    const answer = await stage.call('PATCH', `${PATH}/${id}`, { expression: 'nope' })
    expect([answer.status, pointers(answer)]).toEqual([400, ['/expression']])
    const kept = (await stage.call('GET', `${PATH}/${id}`)).json.result
    expect(kept['expression']).toBe(`is_jwt_valid("${a}")`)
  })

  test('what is odd but legal is told of', async () => {
    const answer = await create({ expression: 'any(http.request.headers["X-Mode"][*] eq "on")' })
    expect(answer.json.messages[0]).toMatchObject({
      code: 110302,
      message: expect.stringMatching(/^line 1, column \d+: .*lower-case/),
      source: { pointer: '/expression' },
    })
  })
})

describe('one rule', () => {
  test('is read, changed in what is given, and deleted', async () => {
    const made = await create()
    const id = idOf(made)
    expect((await stage.call('GET', `${PATH}/${id}`)).json.result).toEqual(made.json.result)
    stage.clock += 1000
    for (const changes of [
      { title: 'New' },
      { description: '' },
      { action: 'log' },
      { enabled: false },
      { expression: 'not ssl' },
      { selector: { include: [] } },
    ]) {
      const before = (await stage.call('GET', `${PATH}/${id}`)).json.result
      const { status, json } = await stage.call('PATCH', `${PATH}/${id}`, changes)
      expect(status).toBe(200)
      expect(json.result).toEqual({
        ...before,
        ...changes,
        last_updated: json.result['last_updated'],
      })
      expect(json.result['last_updated']).not.toBe(NOW)
      expect(json.result['created_at']).toBe(made.json.result['created_at'])
    }
    expect((await stage.call('DELETE', `${PATH}/${id}`)).json.result).toEqual({ id })
    expect((await stage.call('GET', `${PATH}/${id}`)).status).toBe(404)
    stage.clock -= 1000
  })

  test.each(['GET', 'PATCH', 'DELETE'])('%s of one that is not there is 404', async (method) => {
    const path = `${PATH}/00000000-0000-4000-8000-000000000000`
    expect((await stage.call(method, path, method === 'PATCH' ? {} : undefined)).status).toBe(404)
  })
})

describe.each(['PUT', 'POST'])('%s rules/preview', (method) => {
  const preview = async (selector: object, query = '') =>
    stage.call(method, `${PATH}/preview${query}`, selector)

  test('tells the state of each operation, and counts them', async () => {
    const [x, y] = await operations(
      'GET a.example.com /x',
      'GET a.example.com /y',
      'GET b.example.com /x',
    )
    const selector = { include: [{ host: 'A.example.com' }], exclude: [{ operation_ids: [y] }] }
    const { status, json } = await preview(selector)
    expect(status).toBe(200)
    expect(json.result).toMatchObject({
      operations: [
        {
          operation_id: x,
          method: 'GET',
          host: 'a.example.com',
          endpoint: '/x',
          state: 'included',
        },
        { operation_id: y, state: 'excluded' },
        { host: 'b.example.com', state: 'ignored' },
      ],
      total: 3,
      included: 1,
      excluded: 1,
      ignored: 1,
      selected_hosts: ['a.example.com'],
      available_hosts: ['a.example.com', 'b.example.com'],
    })
    expect(json.result_info).toMatchObject({ count: 3, page: 1, per_page: 20, total_count: 3 })
  })

  test.each<[object, number]>([
    [{}, 3],
    [{ include: null }, 3],
    [{ include: [] }, 0],
    [{ include: [{ host: ['a.example.com', 'b.example.com'] }] }, 3],
    [{ exclude: null }, 3],
  ])('%j includes %i', async (selector, included) => {
    await operations('GET a.example.com /x', 'GET a.example.com /y', 'GET b.example.com /x')
    expect((await preview(selector)).json.result).toMatchObject({ total: 3, included })
  })

  test('shows a page of them, and counts all', async () => {
    await operations('GET a.example.com /x', 'GET a.example.com /y', 'GET a.example.com /z')
    const { json } = await preview({}, '?page=2&per_page=2')
    expect(json.result).toMatchObject({ total: 3, included: 3, operations: [{ endpoint: '/z' }] })
    expect(json.result_info).toMatchObject({ count: 1, page: 2, total_pages: 2 })
  })
})

describe('what a rule is told when it is saved', () => {
  test.each<[string, string, boolean | undefined]>([
    ['or not', 'is_jwt_valid("A") or not is_jwt_valid("A")', true],
    ['valid means present', 'not is_jwt_valid("A") or is_jwt_present("A")', true],
    ['valid and absent', 'is_jwt_valid("A") and not is_jwt_present("A")', false],
    [
      'a field and its opposite',
      '(ssl and is_jwt_valid("A")) or not (ssl and is_jwt_valid("A"))',
      true,
    ],
    ['true', 'true', true],
    ['xor with itself', 'ssl xor ssl', false],
    ['two configurations', 'is_jwt_valid("A") or not is_jwt_present("B")', undefined],
    ['an ordinary one', 'is_jwt_valid("A") or not is_jwt_present("A")', undefined],
    ['different fields', 'ssl or not (http.host eq "x")', undefined],
    [
      'inside any',
      'any(http.request.headers["a"][*] eq "x") or not any(http.request.headers["a"][*] eq "y")',
      undefined,
    ],
  ])('%s: always true or false is noticed', async (_, expression, constant) => {
    await operations('GET a.example.com /x')
    const text = expression.replaceAll('"A"', `"${a}"`).replaceAll('"B"', `"${b}"`)
    const answer = await create({ expression: text })
    expect(codes(answer)).toEqual(constant === undefined ? [] : [constant ? 110306 : 110307])
  })

  test('that it covers nothing', async () => {
    await operations('GET a.example.com /x')
    const answer = await create({ selector: { include: [] } })
    expect(codes(answer)).toEqual([110303, 110309])
    expect(answer.json.messages[0]?.message).toContain('leave include out')
    expect(codes(await create({ selector: { include: [{ host: 'b.example.com' }] } }))).toContain(
      110303,
    )
  })

  test('that rules before it leave nothing to it, and which', async () => {
    await operations('GET a.example.com /x', 'GET b.example.com /x')
    const first = idOf(await create({ selector: { include: [{ host: 'a.example.com' }] } }))
    const second = await create({ selector: { include: [{ host: 'a.example.com' }] } })
    expect(codes(second)).toEqual([110304, 110309])
    expect(second.json.messages[0]?.message).toContain(first)
    expect(codes(await create({ enabled: false }))).toEqual([110309])
    expect(codes(await create())).toEqual([])
    expect(codes(await stage.call('PATCH', `${PATH}/${first}`, { enabled: false }))).toEqual([])
  })

  test('that an exclude has no effect', async () => {
    const [x] = await operations('GET a.example.com /x', 'GET b.example.com /x')
    const answer = await create({
      selector: { include: [{ host: 'b.example.com' }], exclude: [{ operation_ids: [x, 'none'] }] },
    })
    const found = answer.json.messages.filter(({ code }) => code === 110305)
    expect(found.map(({ source }) => source?.pointer)).toEqual([
      '/selector/exclude/0/operation_ids/0',
      '/selector/exclude/0/operation_ids/1',
    ])
  })

  test('that browsers send no token with OPTIONS', async () => {
    await operations('OPTIONS a.example.com /x')
    expect(codes(await create())).toEqual([110308])
    const exempt = `is_jwt_valid("${a}") or http.request.method eq "OPTIONS"`
    expect(codes(await create({ expression: exempt, position: { index: 1 } }))).toEqual([])
  })

  test('what no rule covers', async () => {
    await operations('GET a.example.com /x', 'GET b.example.com /x', 'GET b.example.com /y')
    const answer = await create({ selector: { include: [{ host: 'a.example.com' }] } })
    expect(answer.json.messages).toMatchObject([
      { code: 110309, message: 'no enabled rule covers GET b.example.com/x, GET b.example.com/y' },
    ])
  })

  test('of several rules, to which it belongs', async () => {
    await operations('GET a.example.com /x')
    const answer = await stage.call('POST', `${PATH}/bulk`, [rule(), rule()])
    expect(answer.json.messages).toMatchObject([
      { code: 110304, source: { pointer: '/1/selector' } },
    ])
  })
})

test('reading and editing are different rights, and configurations are of the same area', async () => {
  const token = await stage.token(['token_validation:read'], `zone:${ZONE}`)
  expect((await stage.call('GET', PATH, undefined, { token })).status).toBe(200)
  expect((await stage.call('PUT', `${PATH}/preview`, {}, { token })).status).toBe(200)
  for (const [method, path, body] of [
    ['POST', PATH, rule()],
    ['POST', `${PATH}/bulk`, []],
    ['PATCH', `${PATH}/bulk`, []],
    ['DELETE', `${PATH}/x`, undefined],
    ['POST', CONFIG, {}],
    ['PUT', `${CONFIG}/x/credentials`, {}],
  ] as const)
    expect((await stage.call(method, path, body, { token })).status).toBe(403)
})

test('what is stored is a policy that the gate compiles and follows', async () => {
  await operations('GET api.example.com /orders/{id}', 'GET api.example.com /health')
  await create()
  const policy = await stage.management.policy(ZONE)
  expect(policy?.hash).toMatch(/^[0-9a-f]{64}$/)
  const gate = createGate(policy!.zone, { crypto: nodeCrypto(), now: () => stage.clock })
  const decide = (target: string, headers: Item = {}) => {
    const request: GateRequest = {
      method: 'GET',
      host: 'api.example.com',
      target,
      header: (name) => headers[name] as string | undefined,
      headers: () => Object.entries(headers) as [string, string][],
    }
    return gate.decide(request)
  }
  const token = makeToken(keyFor('HS256'))
  expect(decide('/orders/1')).toMatchObject({ action: 'block', reason: 'no_valid_token' })
  expect(decide('/orders/1', { authorization: `Bearer ${token}` })).toMatchObject({
    action: 'pass',
    reason: 'satisfied',
  })
  expect(decide('/nothing')).toMatchObject({ action: 'pass', reason: 'unlisted' })
  await stage.call('PATCH', `/zones/${ZONE}`, { paused: true })
  expect((await stage.management.policy(ZONE))?.zone.rules).toEqual([])
  expect((await stage.management.policy(ZONE, policy!.version))?.zone).toEqual(policy!.zone)
  await stage.call('PATCH', `/zones/${ZONE}`, { paused: false })
})
