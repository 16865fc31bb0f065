import { beforeAll, describe, expect, test } from 'vitest'
import { createGate, type GateRequest } from '../../src/edge/index.js'
import { nodeCrypto } from '../../src/node/crypto.js'
import { keyFor, makeToken } from '../edge/token/keys.js'
import { CONFIG, idOf, RULES } from './rows/bodies.js'
import { ruleStage } from './rule-stage.js'
import { ZONE, type Answer, type Item, type Stage } from './stage.js'

const NOW = '2026-01-31T12:00:00.000000Z'

const staged = ruleStage('A')
const { create, operations, rule } = staged
const pointers = ({ json }: Answer) => json.errors.map(({ source }) => source?.pointer)
let stage: Stage
/** The id of a configuration. */
let a: string
beforeAll(() => {
  stage = staged.stage
  a = staged.ids['A']!
})

describe('an expression', () => {
  test('it is compiled again when it is changed', async () => {
    const id = idOf(await create())
    const answer = await stage.call('PATCH', `${RULES}/${id}`, { expression: 'nope' })
    expect([answer.status, pointers(answer)]).toEqual([400, ['/expression']])
    const kept = (await stage.call('GET', `${RULES}/${id}`)).json.result
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
    expect((await stage.call('GET', `${RULES}/${id}`)).json.result).toEqual(made.json.result)
    stage.clock += 1000
    for (const changes of [
      { title: 'New' },
      { description: '' },
      { action: 'log' },
      { enabled: false },
      { expression: 'not ssl' },
      { selector: { include: [] } },
    ]) {
      const before = (await stage.call('GET', `${RULES}/${id}`)).json.result
      const { status, json } = await stage.call('PATCH', `${RULES}/${id}`, changes)
      expect(status).toBe(200)
      expect(json.result).toEqual({
        ...before,
        ...changes,
        last_updated: json.result['last_updated'],
      })
      expect(json.result['last_updated']).not.toBe(NOW)
      expect(json.result['created_at']).toBe(made.json.result['created_at'])
    }
    expect((await stage.call('DELETE', `${RULES}/${id}`)).json.result).toEqual({ id })
    expect((await stage.call('GET', `${RULES}/${id}`)).status).toBe(404)
    stage.clock -= 1000
  })

  test.each(['GET', 'PATCH', 'DELETE'])('%s of one that is not there is 404', async (method) => {
    const path = `${RULES}/00000000-0000-4000-8000-000000000000`
    expect((await stage.call(method, path, method === 'PATCH' ? {} : undefined)).status).toBe(404)
  })
})

describe.each(['PUT', 'POST'])('%s rules/preview', (method) => {
  const preview = async (selector: object, query = '') =>
    stage.call(method, `${RULES}/preview${query}`, selector)

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

test('reading and editing are different rights, and configurations are of the same area', async () => {
  const token = await stage.token(['token_validation:read'], `zone:${ZONE}`)
  expect((await stage.call('GET', RULES, undefined, { token })).status).toBe(200)
  expect((await stage.call('PUT', `${RULES}/preview`, {}, { token })).status).toBe(200)
  for (const [method, path, body] of [
    ['POST', RULES, rule()],
    ['POST', `${RULES}/bulk`, []],
    ['PATCH', `${RULES}/bulk`, []],
    ['DELETE', `${RULES}/x`, undefined],
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
