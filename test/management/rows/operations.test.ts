import { describe, expect, test } from 'vitest'
import { ACCOUNT } from '../stage.js'
import { idOf, NOBODY, operation, OPERATIONS, refusalOf, RULES, toldBy, UUID } from './bodies.js'
import { servedFor } from './served.js'

// Operations are beyond the specification, which has nothing to select without them.
const { call } = servedFor()

describe('an operation may have', () => {
  test.each(['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'CONNECT', 'PATCH', 'TRACE'])(
    'the method %s',
    async (method) => {
      const { status, json } = await call('POST', `${OPERATIONS}/item`, operation({ method }))
      expect(status).toBe(200)
      expect(json.result).toEqual({
        ...operation({ method }),
        operation_id: expect.stringMatching(UUID),
        last_updated: expect.stringMatching(/^2026-01-31T12:00:00\.\d{6}Z$/),
        features: {},
      })
      const { json: listed } = await call('GET', `${OPERATIONS}?method=${method.toLowerCase()}`)
      expect(listed.list).toEqual([json.result])
    },
  )

  test.each([
    ['/{any name}/{2}', '/{var1}/{var2}'],
    ['/%2f', '/%2F'],
    ['/%41', '/A'],
    ['/a b', '/a%20b'],
    ['/*', '/*'],
    ['/', '/'],
  ])('the endpoint %s, kept as %s', async (endpoint, kept) => {
    const { status, json } = await call('POST', `${OPERATIONS}/item`, operation({ endpoint }))
    expect([status, json.result['endpoint']]).toEqual([200, kept])
  })
})

const REFUSED: readonly (readonly [member: string, values: readonly unknown[]])[] = [
  ['method', [undefined, null, 1, '', 'get', 'FETCH', ['GET'], 'GET ']],
  [
    'host',
    [
      undefined,
      null,
      1,
      '',
      'a b',
      'a..example.com',
      '.example.com',
      '*.example.com',
      'example.com:8080',
      'https://example.com',
      'foo-{x}.example.com',
      '{x}',
      'example.org',
      'badexample.com',
      '{x}.org',
      '192.0.2.1',
    ],
  ],
  [
    'endpoint',
    [
      undefined,
      null,
      1,
      '',
      'a',
      '*',
      'https://example.com/a',
      '/a?b',
      '/a#b',
      '/{}',
      '/{a',
      '/a}',
      '/{a}{b}',
      '/x{a}',
      '/{a}.json',
    ],
  ],
]

describe.each(['item', 'bulk'])('POST operations, %s', (way) => {
  test.each(REFUSED)('%s may be none of %j', async (member, values) => {
    for (const value of values) {
      const bad = operation({ [member]: value })
      const answer =
        way === 'item'
          ? await call('POST', `${OPERATIONS}/item`, bad)
          : await call('POST', OPERATIONS, [operation(), bad])
      const pointer = `${way === 'item' ? '' : '/1'}/${member}`
      expect([value, ...refusalOf(answer)]).toEqual([value, 400, 10422, pointer])
    }
  })

  test('tells of members without meaning', async () => {
    const given = { ...operation(), features: {}, operation_id: NOBODY }
    const answer =
      way === 'item'
        ? await call('POST', `${OPERATIONS}/item`, given)
        : await call('POST', OPERATIONS, [given])
    const base = way === 'item' ? '' : '/0'
    expect(toldBy(answer)).toEqual([
      [10423, `${base}/features`],
      [10423, `${base}/operation_id`],
    ])
  })
})

test.each<[method: string, path: string, body: unknown, pointer: string]>([
  ['POST', OPERATIONS, {}, ''],
  ['POST', OPERATIONS, null, ''],
  ['POST', OPERATIONS, [null], '/0'],
  ['POST', `${OPERATIONS}/item`, [], ''],
  ['DELETE', OPERATIONS, {}, ''],
  ['DELETE', OPERATIONS, null, ''],
  ['DELETE', OPERATIONS, [{}], '/0/operation_id'],
  ['DELETE', OPERATIONS, [{ operation_id: 1 }], '/0/operation_id'],
  ['DELETE', OPERATIONS, ['x'], '/0'],
  ['POST', `${RULES}/bulk`, {}, ''],
  ['POST', `${RULES}/bulk`, [null], '/0'],
  ['PATCH', `${RULES}/bulk`, {}, ''],
  ['PATCH', `${RULES}/bulk`, [{}], '/0/id'],
  ['PATCH', `${RULES}/bulk`, [{ id: 1 }], '/0/id'],
  ['PUT', `${RULES}/preview`, [], ''],
  ['PUT', `${RULES}/preview`, null, ''],
  ['POST', `${RULES}/preview`, { include: 1 }, '/include'],
  ['POST', `${RULES}/preview`, { exclude: [1] }, '/exclude/0'],
  ['POST', `${RULES}/preview?page=0`, {}, '/page'],
  ['PUT', `${RULES}/preview?per_page=1001`, {}, '/per_page'],
  ['GET', `${OPERATIONS}?direction=up`, undefined, '/direction'],
  ['GET', `${OPERATIONS}?direction=`, undefined, '/direction'],
  ['GET', `${OPERATIONS}?page=x`, undefined, '/page'],
  ['GET', `${OPERATIONS}?per_page=`, undefined, '/per_page'],
  ['GET', `${OPERATIONS}?endpoint=%00`, undefined, '/endpoint'],
  ['GET', `${OPERATIONS}/${NOBODY}?with_schemas=1`, undefined, '/with_schemas'],
])('%s %s with %j is refused at "%s"', async (method, path, body, pointer) => {
  expect(refusalOf(await call(method, path, body))).toEqual([400, 10422, pointer])
})

test.each(['PUT', 'POST'])(
  '%s preview refuses a host that is none, as saving does',
  async (method) => {
    for (const [host, pointer] of [
      ['a b', '/include/0/host'],
      [['a.example', 'a-{b}'], '/include/0/host/1'],
    ]) {
      const answer = await call(method, `${RULES}/preview`, { include: [{ host }] })
      expect(refusalOf(answer)).toEqual([400, 110203, pointer])
    }
  },
)

/** Calls about an object that is not there, or in another zone. */
const LOST: [method: string, path: string, body?: unknown][] = [
  ['GET', `${OPERATIONS}/{operation}`],
  ['DELETE', `${OPERATIONS}/{operation}`],
  ['GET', `${RULES}/{rule}`],
  ['PATCH', `${RULES}/{rule}`, { title: 'x' }],
  ['DELETE', `${RULES}/{rule}`],
]

test.each(LOST)('%s %s of none is 404', async (method, path, body) => {
  for (const id of [NOBODY, 'x', '..%2f..', "'%20or%201=1"])
    expect(refusalOf(await call(method, path.replace(/\{\w+\}/, id), body))).toEqual([
      404,
      10404,
      undefined,
    ])
})

test('nothing of another zone is reached, in bulk either', async () => {
  const zone = idOf(
    await call('POST', '/zones', { name: 'other.example', account: { id: ACCOUNT } }),
  )
  const there = (path: string) => path.replace(/zones\/\w+/, `zones/${zone}`)
  const rule = idOf(await call('POST', there(RULES), { action: 'log', expression: 'ssl' }))
  const made = await call('POST', there(`${OPERATIONS}/item`), operation({ host: 'other.example' }))
  const operation_id = String(made.json.result['operation_id'])
  for (const [method, path, body] of LOST) {
    const here = path.replace('{rule}', rule).replace('{operation}', operation_id)
    expect([method, path, (await call(method, here, body)).status]).toEqual([method, path, 404])
  }
  const bulk = await call('PATCH', `${RULES}/bulk`, [{ id: rule, title: 'x' }])
  expect(refusalOf(bulk)).toEqual([404, 10404, '/0/id'])
  const deleted = await call('DELETE', OPERATIONS, [{ operation_id }])
  expect([deleted.json.list, toldBy(deleted)]).toEqual([[], [[10404, '/0/operation_id']]])
  const placed = await call('POST', RULES, {
    action: 'log',
    expression: 'ssl',
    position: { after: rule },
  })
  expect(refusalOf(placed)).toEqual([400, 110204, '/position/after'])
  expect((await call('GET', there(`${RULES}/${rule}`))).json.result['title']).toBe('')
  expect((await call('GET', there(OPERATIONS))).json.list).toEqual([made.json.result])
})
