import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { zoneFacts } from '../../src/management/operations/zone-facts.js'
import { readPolicy } from '../../src/management/store/index.js'
import { ACCOUNT, createZoneStage, ZONE, type Stage } from './stage.js'

const PATH = `/zones/${ZONE}/api_gateway/operations`

let stage: Stage
beforeAll(async () => {
  stage = await createZoneStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  await stage.db.deleteFrom('operations').execute()
})

const get = (endpoint: string, host = 'api.example.com') => ({ method: 'GET', host, endpoint })

describe('what is kept of an operation', () => {
  test.each([
    ['api.example.com', '/users/{id}', 'api.example.com', '/users/{var1}'],
    ['api.example.com', '/{b}/x/{a}', 'api.example.com', '/{var1}/x/{var2}'],
    ['API.Example.com.', '/A', 'api.example.com', '/A'],
    ['{x}.example.com', '/', '{hostVar1}.example.com', '/'],
    ['{b}.{a}.example.com', '/', '{hostVar2}.{hostVar1}.example.com', '/'],
    ['bücher.example.com', '/ü', 'xn--bcher-kva.example.com', '/%C3%BC'],
    ['example.com', '/a/./b/../c//d/%7ee%2f', 'example.com', '/a/c/d/~e%2F'],
    ['example.com', '/a/', 'example.com', '/a/'],
  ])('%s%s is %s%s', async (host, endpoint, keptHost, keptEndpoint) => {
    const { status, json } = await stage.call('POST', `${PATH}/item`, get(endpoint, host))
    expect(status).toBe(200)
    expect(json.result).toEqual({
      operation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      method: 'GET',
      host: keptHost,
      endpoint: keptEndpoint,
      last_updated: '2026-01-31T12:00:00.000000Z',
      features: {},
    })
  })
})

describe('one operation for one meaning', () => {
  test('what matches the same requests is returned, not added', async () => {
    const one = await stage.call('POST', `${PATH}/item`, get('/users/{id}'))
    const other = await stage.call(
      'POST',
      `${PATH}/item`,
      get('/x/../users/{name}', 'API.example.com'),
    )
    expect(other.json.result).toEqual(one.json.result)
    const { json } = await stage.call('POST', PATH, [get('/a'), get('/users/{x}'), get('/./a')])
    expect(json.list[1]).toEqual(one.json.result)
    expect(json.list[2]).toEqual(json.list[0])
    expect((await stage.call('GET', PATH)).json.result_info).toMatchObject({ total_count: 2 })
  })

  test('of several at once all are added or none', async () => {
    const { status, json } = await stage.call('POST', PATH, [get('/a'), get('b'), get('/', 'x')])
    expect(status).toBe(400)
    expect(json.errors.map(({ source }) => source?.pointer)).toEqual(['/1/endpoint', '/2/host'])
    expect((await stage.call('GET', PATH)).json.list).toEqual([])
  })
})

describe('the list', () => {
  beforeEach(async () => {
    await stage.call('POST', PATH, [
      { method: 'POST', host: 'b.example.com', endpoint: '/Users/{id}' },
      { method: 'GET', host: 'b.example.com', endpoint: '/a%25b_c' },
      { method: 'GET', host: 'a.example.com', endpoint: '/users' },
      { method: 'PUT', host: '{x}.example.com', endpoint: '/users/{id}/d' },
    ])
  })

  test.each<[string, string[]]>([
    ['', ['/Users/{var1}', '/a%25b_c', '/users', '/users/{var1}/d']],
    ['direction=desc', ['/users/{var1}/d', '/users', '/a%25b_c', '/Users/{var1}']],
    ['host=a.example.com', ['/users']],
    ['host=A.Example.com.', ['/users']],
    ['host=a.example.com&host=b.example.com', ['/Users/{var1}', '/a%25b_c', '/users']],
    ['host=%7Bany%7D.example.com', ['/users/{var1}/d']],
    ['host[]=a.example.com', ['/users']],
    ['method=PUT&method=POST', ['/Users/{var1}', '/users/{var1}/d']],
    ['method=get', ['/a%25b_c', '/users']],
    ['endpoint=users', ['/users', '/users/{var1}/d']],
    ['endpoint=%25', ['/a%25b_c']],
    ['endpoint=_', ['/a%25b_c']],
    ['endpoint=users&host=a.example.com&method=GET', ['/users']],
    ['endpoint=%27%20or%201%3D1', []],
    ['order=method&method=PUT&method=POST', ['/Users/{var1}', '/users/{var1}/d']],
    ['order=host&host=b.example.com&host=a.example.com', ['/users', '/Users/{var1}', '/a%25b_c']],
    ['order=endpoint&direction=desc&endpoint=users', ['/users/{var1}/d', '/users']],
    ['order=thresholds.requests', ['/Users/{var1}', '/a%25b_c', '/users', '/users/{var1}/d']],
    ['order=constructor', ['/Users/{var1}', '/a%25b_c', '/users', '/users/{var1}/d']],
    ['feature=thresholds&feature=schema_info&host=a.example.com', ['/users']],
  ])('?%s', async (query, endpoints) => {
    const { status, json } = await stage.call('GET', `${PATH}?${query}`)
    expect(status).toBe(200)
    expect(json.list.map(({ endpoint }) => endpoint)).toEqual(endpoints)
    expect(json.messages).toEqual([])
    expect(json.result_info).toMatchObject({ count: endpoints.length, total_count: 4 })
  })

  test('in pages of any size it is the same sequence, and a page past the end is empty', async () => {
    const all = (await stage.call('GET', PATH)).json.list
    for (const size of [1, 2, 3]) {
      const pages = []
      for (let page = 1; ; page++) {
        const { json } = await stage.call('GET', `${PATH}?page=${page}&per_page=${size}`)
        if (json.list.length === 0) break
        pages.push(...json.list)
      }
      expect(pages).toEqual(all)
    }
  })
})

describe('one operation', () => {
  test('is read and deleted', async () => {
    const made = await stage.call('POST', `${PATH}/item`, get('/a'))
    const path = `${PATH}/${made.json.result['operation_id']}`
    const got = await stage.call('GET', `${path}?feature=thresholds&with_schemas=true`)
    expect(got.json.result).toEqual(made.json.result)
    expect((await stage.call('DELETE', path)).json).toMatchObject({
      success: true,
      errors: [],
      messages: [],
    })
    for (const method of ['GET', 'DELETE'])
      expect((await stage.call(method, path)).status).toBe(404)
  })

  test.each(['x', '00000000-0000-4000-8000-000000000000', '..%2f..', "' or 1=1"])(
    '%s is none',
    async (id) => {
      expect((await stage.call('GET', `${PATH}/${encodeURIComponent(id)}`)).status).toBe(404)
    },
  )
})

test('several are deleted at once, and unknown ones are told of', async () => {
  const { json } = await stage.call('POST', PATH, [get('/a'), get('/b'), get('/c')])
  const [a, b] = json.list.map(({ operation_id }) => ({ operation_id }))
  const answer = await stage.call('DELETE', PATH, [a, { operation_id: 'none' }, b])
  expect(answer.status).toBe(200)
  expect(answer.json.messages.map(({ source }) => source?.pointer)).toEqual(['/1/operation_id'])
  expect((await stage.call('GET', PATH)).json.list).toMatchObject([{ endpoint: '/c' }])
})

test('deleting several without naming them deletes nothing', async () => {
  await stage.call('POST', PATH, [get('/a')])
  expect((await stage.call('DELETE', PATH)).status).toBe(400)
  expect((await stage.call('GET', PATH)).json.list).toHaveLength(1)
})

test('5,000 at once are one version of the policy, in their order', async () => {
  const before = (await readPolicy(stage.db, ZONE))!.row.version
  const many = Array.from({ length: 5000 }, (_, at) => get(`/many/${at}`))
  const { status, json } = await stage.call('POST', PATH, many)
  expect([status, json.list.length]).toEqual([200, 5000])
  const { row, parts } = (await readPolicy(stage.db, ZONE))!
  expect(row.version).toBe(before + 1)
  const kept = parts.operations as readonly { endpoint: string }[]
  expect(kept.map(({ endpoint }) => endpoint)).toEqual(many.map(({ endpoint }) => endpoint))
})

test('each is in the audit log, with who and what', async () => {
  const made = await stage.call('POST', `${PATH}/item`, get('/audited'))
  const id = String(made.json.result['operation_id'])
  await stage.call('DELETE', `${PATH}/${id}`)
  const lines = await stage.db
    .selectFrom('audit_log')
    .selectAll()
    .where('object_id', '=', id)
    .execute()
  const after = { method: 'GET', host: 'api.example.com', endpoint: '/audited' }
  expect(lines).toMatchObject([
    {
      action: 'create',
      actor_name: 'First administrator',
      before: null,
      after: JSON.stringify(after),
    },
    { action: 'delete', zone_id: ZONE, after: null, before: JSON.stringify(after) },
  ])
})

test('reading and editing are different rights', async () => {
  const token = await stage.token(['operations:read'], `zone:${ZONE}`)
  expect((await stage.call('GET', PATH, undefined, { token })).status).toBe(200)
  expect((await stage.call('POST', `${PATH}/item`, get('/a'), { token })).status).toBe(403)
  const wrong = await stage.token(['zones:edit'], `zone:${ZONE}`)
  expect((await stage.call('GET', PATH, undefined, { token: wrong })).status).toBe(403)
})

test('a zone that is deleted while a call to it begins is told as 404, and is no fault', async () => {
  const made = { name: 'gone.example', account: { id: ACCOUNT } }
  const id = String((await stage.call('POST', '/zones', made)).json.result['id'])
  await stage.call('DELETE', `/zones/${id}`)
  await expect(zoneFacts(stage.db, id)).rejects.toMatchObject({ status: 404 })
})
