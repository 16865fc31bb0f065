import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractOf } from './contract.js'
import { ACCOUNT, ADMIN, createZoneStage, ZONE, type Stage } from './stage.js'

let stage: Stage
beforeAll(async () => {
  stage = await createZoneStage()
})
afterAll(() => stage.close())

describe('authentication', () => {
  test.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['an unknown token', { authorization: 'Bearer nobody' }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: `Basic ${ADMIN}` }],
    ['an e-mail address and a key', { 'x-auth-email': 'a@example.com', 'x-auth-key': 'k' }],
  ])('%s is answered with 401 and a challenge', async (_, headers) => {
    const answer = await stage.call('GET', '/zones', undefined, { token: null, headers })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="portcullis"/)
    expect(answer.json).toEqual({
      errors: [
        {
          code: 10000,
          message: expect.any(String),
          documentation_url: 'http://management.test/client/v4/docs#code-10000',
        },
      ],
      messages: [],
      result: null,
      success: false,
    })
  })

  test('other credentials beside the bearer token do not disturb it', async () => {
    const headers = { 'x-auth-email': 'a@example.com', 'x-auth-user-service-key': 'v1.0-x' }
    expect((await stage.call('GET', '/zones', undefined, { headers })).status).toBe(200)
  })

  test('the scheme is read in any case', async () => {
    const headers = { authorization: `bearer ${ADMIN}` }
    expect((await stage.call('GET', '/zones', undefined, { token: null, headers })).status).toBe(
      200,
    )
  })
})

describe('addresses and methods', () => {
  test.each([
    ['GET', '/nothing', 404, null],
    ['PATCH', '/zones', 405, 'GET, POST'],
    ['POST', `/zones/${ZONE}`, 405, 'DELETE, GET, PATCH'],
    ['OPTIONS', '/accounts', 405, 'GET, POST'],
    ['POST', '/openapi.json', 405, 'GET'],
    ['GET', '/zones/%00', 404, null],
    ['GET', '/zones/%E0%A4%A', 404, null],
  ])('%s %s is answered with %i', async (method, path, status, allow) => {
    const answer = await stage.call(method, path)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('allow')).toBe(allow)
    expect(answer.json).toMatchObject({ success: false, errors: [{ code: 10000 + status }] })
  })

  test('a trailing slash is no other address', async () => {
    expect((await stage.call('GET', '/zones/')).status).toBe(200)
  })

  test('HEAD is answered like GET, without a body', async () => {
    const answer = await stage.call('HEAD', '/zones')
    expect([answer.status, answer.text]).toEqual([200, ''])
  })
})

describe('bodies', () => {
  test.each<[string, string | Uint8Array<ArrayBuffer>, string, number, string | undefined]>([
    ['malformed JSON', '{"name": "x', 'application/json', 400, undefined],
    ['a secret in malformed JSON', '{"k": "hunter2", }', 'application/json', 400, undefined],
    ['bytes that are no UTF-8', new Uint8Array([34, 255, 34]), 'application/json', 400, undefined],
    ['a form', 'name=x', 'application/x-www-form-urlencoded', 415, undefined],
    ['text', '{}', 'text/plain', 415, undefined],
    ['more than 1 MB', `"${'x'.repeat(1_000_000)}"`, 'application/json', 413, undefined],
    ['a wrong kind', '[]', 'application/json', 400, ''],
    ['a wrong member', '{"paused": "yes"}', 'application/json', 400, '/paused'],
    ['U+0000', '{"x": {"a/b": "\\u0000"}}', 'application/json', 400, '/x/a~1b'],
    ['half a character', '{"x": "\\ud800"}', 'application/json', 400, '/x'],
    ['deep nesting', '['.repeat(100_000) + ']'.repeat(100_000), 'application/json', 400, undefined],
  ])('%s is refused in the envelope', async (_, raw, type, status, pointer) => {
    const headers = { 'content-type': type }
    const answer = await stage.call('PATCH', `/zones/${ZONE}`, undefined, { raw, headers })
    expect(answer.status).toBe(status)
    expect(answer.text).not.toContain('hunter2')
    expect(answer.json.success).toBe(false)
    if (pointer !== undefined) expect(answer.json.errors[0]?.source).toEqual({ pointer })
  })

  test('a missing body is told of', async () => {
    const answer = await stage.call('POST', '/zones')
    expect(answer.status).toBe(400)
    expect(answer.json.errors[0]?.message).toContain('expected a body')
  })

  test.each([
    'application/json; charset=utf-8',
    'application/merge-patch+json',
    'Application/JSON',
  ])('%s counts as JSON', async (type) => {
    const headers = { 'content-type': type }
    const answer = await stage.call('PATCH', `/zones/${ZONE}`, {}, { headers })
    expect(answer.status).toBe(200)
  })

  test('a body that says nothing of its length is cut off at 1 MB', async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)),
    })
    const request = new Request(`http://management.test/client/v4/zones`, {
      method: 'POST',
      body: endless,
      headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
      // @ts-expect-error Node wants it, the DOM types do not know it.
      duplex: 'half',
    })
    const { judge } = await contractOf(stage.management.fetch)
    expect((await judge(request, await stage.management.fetch(request))).status).toBe(413)
  })

  test('members without meaning are taken with a message for each', async () => {
    const body = { paused: false, colour: 'red', __proto__x: 1, constructor: { a: 1 } }
    const { status, json } = await stage.call('PATCH', `/zones/${ZONE}`, body)
    expect(status).toBe(200)
    expect(json.messages.map(({ code, source }) => [code, source?.pointer])).toEqual([
      [10423, '/colour'],
      [10423, '/__proto__x'],
      [10423, '/constructor'],
    ])
  })

  test('every fault is named with a pointer, not only the first', async () => {
    const { status, json } = await stage.call('POST', '/zones', { name: 'a b', account: {} })
    expect(status).toBe(400)
    expect(json.errors.map(({ source }) => source?.pointer)).toEqual(['/name', '/account/id'])
  })
})

test('of more than a hundred faults or notices the rest is counted', async () => {
  const wrong = Array.from({ length: 5000 }, () => ({ method: 1 }))
  const path = `/zones/${ZONE}/api_gateway/operations`
  const refused = await stage.call('POST', path, wrong)
  expect([refused.status, refused.json.errors.length]).toEqual([400, 101])
  expect(refused.json.errors.at(-1)?.message).toBe('and 14900 more messages, not shown')
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`m${at}`, at]))
  const taken = await stage.call('PATCH', `/zones/${ZONE}`, many)
  expect([taken.status, taken.json.messages.length]).toEqual([200, 101])
})

describe('paging', () => {
  test.each([
    ['', { page: 1, per_page: 20, count: 1, total_count: 1, total_pages: 1 }],
    ['?page=2', { page: 2, per_page: 20, count: 0, total_count: 1, total_pages: 1 }],
    ['?page=99&per_page=5', { page: 99, per_page: 5, count: 0, total_count: 1, total_pages: 1 }],
    ['?name=nothing', { page: 1, per_page: 20, count: 0, total_count: 1, total_pages: 0 }],
  ])('%s', async (query, info) => {
    const { status, json } = await stage.call('GET', `/zones${query}`)
    expect(status).toBe(200)
    expect(json.result_info).toEqual(info)
    expect(json.result).toHaveLength(info.count)
  })

  test.each([
    'page=0',
    'page=-1',
    'page=x',
    'page=1.5',
    'page=9999999999',
    'per_page=0',
    'per_page=1001',
    'page=',
  ])('%s is refused with a pointer', async (query) => {
    const { status, json } = await stage.call('GET', `/zones?${query}`)
    expect(status).toBe(400)
    expect(json.errors[0]?.source?.pointer).toBe(`/${query.split('=')[0]}`)
  })

  test('text that a database cannot hold is refused with a pointer', async () => {
    const { status, json } = await stage.call('GET', '/zones?name=a%00b')
    expect([status, json.errors[0]?.source?.pointer]).toEqual([400, '/name'])
  })

  test('a parameter without meaning is told of', async () => {
    const { json } = await stage.call('GET', '/zones?colour=red&constructor=1')
    expect(json.messages.map(({ source }) => source?.pointer)).toEqual(['/colour', '/constructor'])
  })
})

test('every answer has a request id, and no two have the same', async () => {
  const ids = await Promise.all(
    ['/zones', '/nothing', '/openapi.json'].map(
      async (path) => (await stage.call('GET', path)).headers.get('x-request-id') ?? '',
    ),
  )
  expect(new Set(ids).size).toBe(3)
  expect(ids.every((id) => /^[0-9a-f-]{36}$/.test(id))).toBe(true)
})

test('a fault of the software is a 500 that says nothing but its request id', async () => {
  const broken = await createZoneStage()
  await broken.db.schema.dropTable('accounts').execute()
  const answer = await broken.call('GET', '/accounts')
  expect(answer.status).toBe(500)
  expect(answer.json.errors).toMatchObject([{ code: 10500 }])
  expect(answer.text).not.toContain('no such table')
  expect(broken.faults).toHaveLength(1)
  await broken.close()
})

test('every answer in these tests is judged by the OpenAPI document, which notices what is wrong', async () => {
  const { breach } = await contractOf(stage.management.fetch)
  const { json } = await stage.call('GET', '/zones')
  const answer = (body: object, status = 200) =>
    breach({
      method: 'GET',
      path: '/zones?page=1',
      status,
      type: 'application/json',
      text: JSON.stringify(body),
    })
  expect(answer(json)).toBeUndefined()
  const { success: _gone, ...rest } = json
  expect(answer(rest)).toContain('success')
  const zone = json.list[0]
  expect(answer({ ...json, result: [{ ...zone, paused: 'no' }] })).toContain('paused')
  expect(answer({ ...json, result: [{ ...zone, secret: 1 }] })).toContain('additional')
  expect(answer(json, 418)).toContain('418')
})

test('the OpenAPI document describes every endpoint, and needs no token', async () => {
  const { status, text } = await stage.call('GET', '/openapi.json', undefined, { token: null })
  expect(status).toBe(200)
  const document = JSON.parse(text) as { openapi: string; paths: Record<string, object> }
  expect(document.openapi).toBe('3.1.0')
  expect(Object.keys(document.paths['/zones/{zone_id}']!)).toEqual(['get', 'patch', 'delete'])
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }: { operationId: string }) => operationId),
  )
  expect(new Set(ids).size).toBe(ids.length)
})

test('accounts that are not there are not told apart from those out of reach', async () => {
  const token = await stage.token(['accounts:edit', 'zones:edit'], `account:${'b'.repeat(32)}`)
  const strip = (text: string) => text
  const [theirs, none] = await Promise.all(
    [ACCOUNT, 'c'.repeat(32)].map((id) =>
      stage.call('GET', `/accounts/${id}`, undefined, { token }),
    ),
  )
  expect([theirs!.status, strip(theirs!.text)]).toEqual([404, strip(none!.text)])
})
