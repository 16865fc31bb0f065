import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCOUNT, createZoneStage, ZONE, type Item, type Stage } from './stage.js'

const OTHER_ACCOUNT = 'b'.repeat(32)
const OTHER_ZONE = '0'.repeat(31) + '2'
const LOG = `/zones/${ZONE}/audit_log`
const operation = (endpoint: string) => ({ method: 'GET', host: 'example.com', endpoint })

let stage: Stage
let made: readonly Item[]
let editor = ''

beforeAll(async () => {
  stage = await createZoneStage()
  await stage.call('POST', '/accounts', { id: OTHER_ACCOUNT, name: 'Others' })
  const other = { id: OTHER_ZONE, name: 'other.example', account: { id: OTHER_ACCOUNT } }
  await stage.call('POST', '/zones', other)
  const path = `/zones/${ZONE}/api_gateway/operations`
  editor = await stage.token(['operations:edit'], `zone:${ZONE}`)
  const items = []
  for (const [at, endpoint] of ['/a', '/b', '/c'].entries()) {
    stage.clock = Date.parse('2026-02-01T00:00:00Z') + at * 60_000
    const body = operation(endpoint)
    items.push((await stage.call('POST', `${path}/item`, body, { token: editor })).json.result)
  }
  made = items
  stage.clock = Date.parse('2026-02-02T00:00:00Z')
  await stage.call('DELETE', `${path}/${String(made[0]!['operation_id'])}`)
})
afterAll(() => stage.close())

/** Lines as short text: what was done to which kind of thing. */
async function lines(path: string, token?: string): Promise<readonly string[]> {
  const { status, json } = await stage.call('GET', path, undefined, token ? { token } : {})
  expect(status).toBe(200)
  expect(json.messages).toEqual([])
  return json.list.map(
    ({ action, resource }) => `${(action as Item)['type']} ${(resource as Item)['type']}`,
  )
}

test('a line tells who did what to what, when and by which request, with before and after', async () => {
  const [answer, created] = [
    await stage.call('GET', `${LOG}?per_page=1`),
    await stage.call('GET', `${LOG}?action=create&object_type=operation&direction=asc`),
  ]
  const kept = { method: 'GET', host: 'example.com', endpoint: '/a' }
  const line = {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    when: '2026-02-02T00:00:00.000000Z',
    action: { type: 'delete', result: true },
    actor: { id: expect.any(String), name: 'First administrator', type: 'user' },
    interface: 'API',
    resource: { type: 'operation', id: made[0]!['operation_id'] },
    owner: { id: ACCOUNT },
    zone_id: ZONE,
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    before: kept,
    after: null,
    oldValue: JSON.stringify(kept),
    newValue: '',
    metadata: {},
  }
  expect(answer.json.list).toEqual([line])
  expect(created.json.list[0]).toMatchObject({
    actor: { name: 'made' },
    when: '2026-02-01T00:00:00.000000Z',
    before: null,
    after: kept,
  })
})

test('the request id of a line is the one that the answer to the change had', async () => {
  const path = `/zones/${OTHER_ZONE}`
  const { headers } = await stage.call('PATCH', path, { paused: true })
  const id = headers.get('x-request-id')!
  expect(await lines(`${path}/audit_log?request_id=${id}`)).toEqual(['update zone'])
})

describe('what the log is narrowed by', () => {
  test.each<[string, number]>([
    ['', 5],
    ['action=create', 4],
    ['action.type=delete', 1],
    ['action=update', 0],
    ['actor=made', 3],
    ['actor=First%20administrator', 2],
    ['actor.email=made', 3],
    ['actor=made&action=delete', 0],
    ['actor=%25', 0],
    ['object_type=zone', 1],
    [`object_id=${ZONE}`, 1],
    [`zone_id=${ZONE}`, 5],
    [`zone_id=${OTHER_ZONE}`, 0],
    ['zone.name=Example.com', 5],
    ['zone.name=other.example', 0],
    ['since=2026-02-01', 4],
    ['since=2026-02-01T00:01:00Z', 3],
    ['since=2026-02-01T00:01:00.000001Z', 2],
    ['since=2026-02-01T01:01:00%2B01:00', 3],
    ['until=2026-02-01', 1],
    ['before=2026-02-01T00:01:00.000000Z', 2],
    ['since=2026-02-01&until=2026-02-02', 3],
    ['since=2026-02-02&until=2026-02-01', 0],
    ['id=none', 0],
  ])('?%s finds %i', async (query, count) => {
    expect(await lines(`${LOG}?${query}`)).toHaveLength(count)
  })

  test.each([
    ['since=yesterday', '/since'],
    ['until=2026-02-30T25:00:00Z', '/until'],
    ['before=2026-02-01T00:00:00', '/before'],
    ['direction=up', '/direction'],
    ['per_page=1001', '/per_page'],
    ['page=0', '/page'],
    ['actor=%00', '/actor'],
  ])('?%s is refused', async (query, pointer) => {
    const { status, json } = await stage.call('GET', `${LOG}?${query}`)
    expect(status).toBe(400)
    expect(json.errors.map(({ source }) => source?.pointer)).toEqual([pointer])
  })
})

test('pages of any size are the same sequence, the newest first, and end with an empty one', async () => {
  const all = (await stage.call('GET', LOG)).json.list
  const times = all.map(({ when }) => String(when))
  expect(times).toEqual(times.toSorted().toReversed())
  const upwards = await stage.call('GET', `${LOG}?direction=asc`)
  expect(upwards.json.list).toEqual(all.toReversed())
  for (const size of [1, 2, 3]) {
    const pages = []
    for (let page = 1; ; page++) {
      const { json } = await stage.call('GET', `${LOG}?page=${page}&per_page=${size}`)
      expect(json.result_info).toMatchObject({ page, per_page: size, total_count: 5 })
      if (json.list.length === 0) break
      pages.push(...json.list)
    }
    expect(pages).toEqual(all)
  }
})

describe('who may read what', () => {
  test('an account has the lines of its zones, and no other account has them', async () => {
    const mine = await lines(`/accounts/${ACCOUNT}/audit_log?per_page=1000`)
    expect(mine).toHaveLength(6)
    expect(mine).toContain('create account')
    const theirs = await lines(`/accounts/${OTHER_ACCOUNT}/audit_log`)
    expect(theirs).not.toContain('create operation')
    expect(await lines(`/accounts/${ACCOUNT}/audit_logs?zone.name=example.com`)).toHaveLength(5)
  })

  test('changes of API tokens are in the log of everything', async () => {
    expect(await lines('/audit_log?object_type=api_token&actor=First%20administrator')).toContain(
      'create api_token',
    )
  })

  test.each<[string, string, readonly [zone: number, account: number, all: number]]>([
    ['audit_log:read', `zone:${ZONE}`, [200, 404, 403]],
    ['audit_log:read', `account:${ACCOUNT}`, [200, 200, 403]],
    ['audit_log:read', '*', [200, 200, 200]],
    ['audit_log:edit', `account:${ACCOUNT}`, [200, 200, 403]],
    ['zones:edit', `account:${ACCOUNT}`, [403, 403, 403]],
    ['audit_log:read', `account:${OTHER_ACCOUNT}`, [404, 404, 403]],
    ['audit_log:read', `zone:${OTHER_ZONE}`, [404, 404, 403]],
  ])('%s for %s', async (permission, resource, expected) => {
    const token = await stage.token([permission], resource)
    const paths = [LOG, `/accounts/${ACCOUNT}/audit_log`, '/audit_log']
    const statuses = paths.map(
      async (path) => (await stage.call('GET', path, undefined, { token })).status,
    )
    expect(await Promise.all(statuses)).toEqual(expected)
  })

  test('nobody changes the log', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect((await stage.call(method, LOG, {})).status).toBe(405)
  })

  test('an account or a zone that never was has no log', async () => {
    for (const path of ['/accounts/none/audit_log', '/zones/none/audit_log'])
      expect((await stage.call('GET', path)).status).toBe(404)
  })
})

test('the log of a deleted zone stays with its account', async () => {
  const zone = { name: 'gone.example', account: { id: OTHER_ACCOUNT } }
  const { json } = await stage.call('POST', '/zones', zone)
  const id = String(json.result['id'])
  await stage.call('DELETE', `/zones/${id}`)
  expect((await stage.call('GET', `/zones/${id}/audit_log`)).status).toBe(404)
  const path = `/accounts/${OTHER_ACCOUNT}/audit_log?zone_id=${id}&direction=asc`
  expect((await lines(path)).toSorted()).toEqual(['create zone', 'delete zone'])
})

test('a change that is refused leaves no line', async () => {
  const { json } = await stage.call('GET', LOG)
  await stage.call('POST', `/zones/${ZONE}/api_gateway/operations/item`, operation('bad'))
  expect((await stage.call('GET', LOG)).json.list).toEqual(json.list)
})
