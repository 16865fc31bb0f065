import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createZoneStage, ZONE, type Item, type Stage } from '../stage.js'

const PATH = `/zones/${ZONE}/edge_errors/preview`
const ENTRY_POINT = `/zones/${ZONE}/rulesets/phases/http_custom_errors/entrypoint`

let stage: Stage
let saved: string

beforeAll(async () => {
  stage = await createZoneStage()
  await stage.call('PATCH', `/zones/${ZONE}`, { plan: { id: 'pro' } })
  const { json } = await stage.call('PUT', ENTRY_POINT, { rules: [JSON_FOR_522] })
  saved = String((json.result['rules'] as readonly Item[])[0]?.['id'])
  const page = { state: 'customized', content: '<p>Blocked ::RAY_ID::' }
  await stage.call('PUT', `/zones/${ZONE}/custom_pages/waf_block`, page)
})
afterAll(() => stage.close())

const JSON_FOR_522 = {
  expression:
    'http.response.code eq 522 and any(http.request.headers["accept"][*] contains "application/json")',
  action_parameters: {
    content: '{"slow":true}',
    content_type: 'application/json',
    status_code: 503,
  },
}
const text = (content: string) => ({ content, content_type: 'text/plain' })
const ask = async (body: object) => (await stage.call('POST', PATH, body)).json.result
const headerOf = (result: Item, wanted: string) =>
  (result['headers'] as readonly { name: string; value: string }[]).find(
    ({ name }) => name === wanted,
  )?.value

describe('a preview of an edge error', () => {
  test('shows the rule that answers', async () => {
    const result = await ask({ error_code: 522, accept: 'application/json' })
    expect(result).toMatchObject({
      answered_by: 'rule',
      rule_id: saved,
      page: null,
      why: `the expression of the rule ${saved} is the first that holds`,
      status: 503,
      body: '{"slow":true}',
    })
    expect(headerOf(result, 'content-type')).toMatch(/^application\/json/)
  })

  test('shows the page that answers, whatever the client accepts', async () => {
    const result = await ask({ error_code: 1020, accept: 'application/json' })
    expect(result).toMatchObject({
      answered_by: 'page',
      rule_id: null,
      page: 'waf_block',
      why: 'no rule holds, and the page waf_block is for error 1020',
      status: 403,
      body: expect.stringMatching(/^<p>Blocked [0-9a-f]{16}$/),
    })
  })

  test.each([
    ['text/markdown', 'text/markdown; charset=utf-8'],
    [null, 'text/html; charset=utf-8'],
    [undefined, 'text/html; charset=utf-8'],
  ])('shows the default for Accept %s', async (accept, type) => {
    const result = await ask({ error_code: 522, accept })
    expect(result).toMatchObject({
      answered_by: 'default',
      rule_id: null,
      page: null,
      status: 522,
      why: expect.stringContaining('the format is what Accept asks for'),
    })
    expect([headerOf(result, 'content-type'), headerOf(result, 'retry-after')]).toEqual([
      type,
      '120',
    ])
  })

  test('asks the rules about the request that is given', async () => {
    const expression =
      'ip.src in {192.0.2.0/24} and http.host eq "api.example.com" and http.request.uri.path eq "/a" and http.request.method eq "POST" and not ssl and http.request.headers["x-a"][0] eq "b"'
    const request = {
      method: 'POST',
      url: 'http://api.example.com/a?b',
      ip: '192.0.2.7',
      headers: [{ name: 'X-A', value: 'b' }],
    }
    const rules = [{ expression, action_parameters: text('yes') }]
    expect(await ask({ error_code: 500, request, rules })).toMatchObject({
      rule_id: 'rule-1',
      body: 'yes',
    })
    const other = { ...request, ip: '198.51.100.7' }
    expect(await ask({ error_code: 500, request: other, rules })).toMatchObject({ rule_id: null })
  })

  test('takes what is not saved in place of what is, and saves nothing', async () => {
    const before = (await stage.management.policy(ZONE))?.version
    const rules = [
      { expression: 'not ssl', action_parameters: text('first') },
      { id: 'mine', expression: 'ssl', action_parameters: text('second') },
    ]
    expect(await ask({ error_code: 522, rules })).toMatchObject({ rule_id: 'mine' })
    expect(await ask({ error_code: 1020, rules: [], page: '<p>New' })).toMatchObject({
      answered_by: 'page',
      page: null,
      body: '<p>New',
      why: 'no rule holds, and the given page is for error 1020',
    })
    expect((await stage.management.policy(ZONE))?.version).toBe(before)
  })

  test('tells what is odd about what is given, and only of that', async () => {
    const rules = [
      { expression: 'ssl', action_parameters: { ...text('{'), content_type: 'application/json' } },
    ]
    const pointers = async (body: object) =>
      (await stage.call('POST', PATH, { error_code: 522, ...body })).json.messages.map(
        ({ source }) => source?.pointer,
      )
    expect(await pointers({ rules, page: '<p>::MOON::' })).toEqual([
      '/rules/0/action_parameters/content',
      '/page',
    ])
    expect(await pointers({})).toEqual([])
  })

  test.each<[string, object, string]>([
    ['an unknown code', { error_code: 999 }, '/error_code'],
    [
      'a request of another zone',
      { error_code: 522, request: { url: 'https://evil-example.com/' } },
      '/request/url',
    ],
    [
      'a header of two lines',
      { error_code: 522, request: { headers: [{ name: 'a', value: 'b\r\nc: d' }] } },
      '/request/headers/0/value',
    ],
    [
      'an expression that does not compile',
      { error_code: 522, rules: [{ expression: 'sl', action_parameters: text('x') }] },
      '/rules/0/expression',
    ],
    ['no page', { error_code: 522, page: 'Sorry' }, '/page'],
    ['an unknown member', { error_code: 522, rule: 'x' }, ''],
  ])('%s is refused', async (_, body, pointer) => {
    const { status, json } = await stage.call('POST', PATH, body)
    expect([status, json.errors[0]?.source?.pointer]).toEqual([400, pointer])
  })

  test('shows a free zone its pages, and refuses it rules', async () => {
    await stage.call('PATCH', `/zones/${ZONE}`, { plan: { id: 'free' } })
    const free = await ask({ error_code: 522, accept: 'application/json' })
    expect(free).toMatchObject({ answered_by: 'default' })
    const rules = [{ expression: 'ssl', action_parameters: text('x') }]
    const { status, json } = await stage.call('POST', PATH, { error_code: 522, rules })
    expect([status, json.errors[0]?.source?.pointer]).toEqual([403, '/rules'])
  })
})
