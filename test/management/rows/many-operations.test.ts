import { expect, test } from 'vitest'
import { many, operation, OPERATIONS, refusalOf, SCHEMAS } from './bodies.js'
import { servedFor } from './served.js'

const MAX = 10_000

const { call } = servedFor()

const total = async () => (await call('GET', OPERATIONS)).json.result_info?.['total_count']
const operations = (count: number) => many(count, (at) => operation({ endpoint: `/${at}` }))
const schema = (paths: object) => ({
  kind: 'openapi_v3',
  name: 'x',
  source: JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths,
  }),
  validation_enabled: false,
})
const document = (count: number) =>
  schema(Object.fromEntries(many(count, (at) => [`/${at}`, { get: {} }])))

/** Each builds on what those before have made. */
test('10,000 operations are created, described and deleted at once, and not one more', async () => {
  expect(refusalOf(await call('POST', OPERATIONS, operations(MAX + 1)))).toEqual([400, 10422, ''])
  expect(await total()).toBe(0)
  const made = await call('POST', OPERATIONS, operations(MAX))
  expect([made.status, made.json.list.length, await total()]).toEqual([200, MAX, MAX])

  expect(refusalOf(await call('POST', SCHEMAS, document(MAX + 1)))).toEqual([
    400,
    120202,
    '/source/paths',
  ])
  expect((await call('POST', SCHEMAS, document(MAX))).status).toBe(200)
  expect(await total()).toBe(MAX)

  const ids = made.json.list.map(({ operation_id }) => ({ operation_id }))
  const tooMany = [...ids, { operation_id: 'x' }]
  expect(refusalOf(await call('DELETE', OPERATIONS, tooMany))).toEqual([400, 10422, ''])
  expect((await call('DELETE', OPERATIONS, ids)).json.list).toHaveLength(MAX)
  expect(await total()).toBe(0)
}, 120_000)

test('a zone has 50 schemas and no 51st, until one is deleted', async () => {
  const path = { '/a': { get: {} } }
  let made = await call('POST', SCHEMAS, schema(path))
  while ((await call('GET', SCHEMAS)).json.result_info!['total_count']! < 50)
    made = await call('POST', SCHEMAS, schema(path))
  const refused = await call('POST', SCHEMAS, schema(path))
  expect(refusalOf(refused)).toEqual([409, 10409, undefined])
  expect(refused.headers.get('x-should-retry')).toBe('false')
  await call('DELETE', `${SCHEMAS}/${String(made.json.result['schema_id'])}`)
  expect((await call('POST', SCHEMAS, schema(path))).status).toBe(200)
})
