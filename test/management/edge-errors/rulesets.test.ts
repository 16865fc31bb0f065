import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createZoneStage, ZONE, type Item, type Stage } from '../stage.js'

const RULESETS = `/zones/${ZONE}/rulesets`
const ENTRY_POINT = `${RULESETS}/phases/http_custom_errors/entrypoint`

let stage: Stage
beforeAll(async () => {
  stage = await createZoneStage()
  await plan('pro')
})
afterAll(() => stage.close())
beforeEach(async () => {
  for (const { id } of (await stage.call('GET', RULESETS)).json.list)
    await stage.call('DELETE', `${RULESETS}/${id}`)
})

const plan = (id: string) => stage.call('PATCH', `/zones/${ZONE}`, { plan: { id } })
const put = (...rules: readonly object[]) => stage.call('PUT', ENTRY_POINT, { rules })
const policy = async () => (await stage.management.policy(ZONE))!

const action_parameters = { content: '{"down":true}', content_type: 'application/json' }
const rule = (expression: string, more: object = {}) => ({
  expression,
  action_parameters,
  ...more,
})
/** Rules in a short form: what each is known by, and its version. */
const short = (result: Item) =>
  (result['rules'] as readonly Item[]).map(({ ref, version }) => `${ref}@${version}`)

describe('the entry point of custom error rules', () => {
  test('is not there before it is made, as clients expect it', async () => {
    const { status, json } = await stage.call('GET', ENTRY_POINT)
    expect([status, json.errors[0]]).toMatchObject([
      404,
      {
        code: 10003,
        message: 'could not find entrypoint ruleset in the "http_custom_errors" phase',
      },
    ])
  })

  test('is made by putting rules, which answers in the shape of clients', async () => {
    const { status, json } = await put(
      rule('http.response.code eq 522', { description: 'Origin is slow', ref: 'slow' }),
      rule('cf.response.1xxx_code in {1015 1020}', {
        action: 'serve_error',
        enabled: false,
        action_parameters: { ...action_parameters, status_code: 418 },
      }),
    )
    expect(status).toBe(200)
    expect(json.result).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      name: 'default',
      description: '',
      kind: 'zone',
      phase: 'http_custom_errors',
      version: '1',
      last_updated: '2026-01-31T12:00:00.000000Z',
      rules: [
        {
          id: expect.stringMatching(/^[0-9a-f]{32}$/),
          version: '1',
          action: 'serve_error',
          action_parameters,
          expression: 'http.response.code eq 522',
          description: 'Origin is slow',
          enabled: true,
          ref: 'slow',
          last_updated: '2026-01-31T12:00:00.000000Z',
        },
        expect.objectContaining({
          enabled: false,
          description: '',
          action_parameters: { ...action_parameters, status_code: 418 },
        }),
      ],
    })
    const [, second] = json.result['rules'] as readonly Item[]
    expect(second?.['ref']).toBe(second?.['id'])
    expect((await stage.call('GET', ENTRY_POINT)).json.result).toEqual(json.result)
    const { rules: _left, ...head } = json.result
    expect((await stage.call('GET', RULESETS)).json.result).toEqual([head])
    expect((await stage.call('GET', `${RULESETS}/${head['id']}`)).json.result).toEqual(json.result)
  })

  test('gates are told the enabled rules in their order', async () => {
    await put(
      rule('ssl', { ref: 'a', description: 'A' }),
      rule('ssl', { enabled: false }),
      rule('not ssl', { ref: 'b' }),
    )
    const { edge_errors } = (await policy()).zone
    expect(edge_errors).toEqual({
      rules: [
        { id: expect.any(String), expression: 'ssl', description: 'A', action_parameters },
        { id: expect.any(String), expression: 'not ssl', action_parameters },
      ],
    })
  })

  test('rules that are put again keep their identity, and a version of their own', async () => {
    const first = (await put(rule('ssl', { ref: 'a' }), rule('not ssl', { ref: 'b' }))).json.result
    stage.clock += 1000
    const [a, b] = first['rules'] as readonly Item[]
    const again = await stage.call('PUT', ENTRY_POINT, {
      ...first,
      rules: [b, { ...a, expression: 'not ssl' }, rule('ssl', { ref: 'c' })],
    })
    expect(again.json.messages).toMatchObject([])
    expect(again.json.result).toMatchObject({ id: first['id'], version: '2' })
    expect(short(again.json.result)).toEqual(['b@1', 'a@2', 'c@1'])
    const rules = again.json.result['rules'] as readonly Item[]
    expect(rules.slice(0, 2).map(({ id }) => id)).toEqual([b?.['id'], a?.['id']])
    expect(rules[0]?.['last_updated']).toBe(b?.['last_updated'])
    expect(rules[1]?.['last_updated']).not.toBe(a?.['last_updated'])
    const byRef = await put(rule('not ssl', { ref: 'b' }))
    expect(byRef.json.result['rules']).toEqual([b])
  })

  test('name and description change alone, and rules stay', async () => {
    await put(rule('ssl', { ref: 'a' }))
    const named = await stage.call('PUT', ENTRY_POINT, { name: 'Errors', description: 'Ours' })
    expect(named.json.result).toMatchObject({ name: 'Errors', description: 'Ours', version: '2' })
    expect(short(named.json.result)).toEqual(['a@1'])
  })

  test.each<[string, object, number, string]>([
    ['no expression', { action_parameters }, 400, '/rules/0/expression'],
    ['no content', { expression: 'ssl' }, 400, '/rules/0/action_parameters'],
    [
      'no media type',
      rule('ssl', { action_parameters: { content: 'x' } }),
      400,
      '/rules/0/action_parameters/content_type',
    ],
    [
      'another media type',
      rule('ssl', { action_parameters: { content: 'x', content_type: 'text/css' } }),
      400,
      '/rules/0/action_parameters/content_type',
    ],
    ['another action', rule('ssl', { action: 'block' }), 400, '/rules/0/action'],
    ['a rule that is not there', rule('ssl', { id: 'none' }), 400, '/rules/0/id'],
    ['an empty expression', rule(''), 400, '/rules/0/expression'],
    ['claims', rule('http.request.jwt.claims.iss["x"][0] eq "y"'), 400, '/rules/0/expression'],
    ['a token function', rule('is_jwt_valid("x")'), 400, '/rules/0/expression'],
    ['text against a number', rule('http.response.code eq "5"'), 400, '/rules/0/expression'],
  ])('a rule with %s is refused', async (_, refused, status, pointer) => {
    const answer = await put(refused)
    expect([answer.status, answer.json.errors[0]?.source?.pointer]).toEqual([status, pointer])
    expect((await stage.call('GET', ENTRY_POINT)).status).toBe(404)
  })

  test('an expression that does not compile is shown with line, column and caret', async () => {
    const { json } = await put(rule('ssl'), rule('http.response.cod eq 5'))
    expect(json.errors).toMatchObject([
      {
        code: 130200,
        message: expect.stringMatching(/^line 1, column 1: .*\n.*http\.response\.cod eq 5\n.*\^/),
        source: { pointer: '/rules/1/expression' },
      },
    ])
    expect(json.errors[0]?.message).toContain('http.response.code')
  })

  test('two rules of one ref or one id are refused', async () => {
    const twice = await put(rule('ssl', { ref: 'a' }), rule('ssl', { ref: 'a' }))
    expect([twice.status, twice.json.errors[0]?.source?.pointer]).toEqual([400, '/rules/1/ref'])
  })

  test.each<[number, number]>([
    [399, 400],
    [400, 200],
    [599, 200],
    [600, 400],
    [999, 400],
    [404.5, 400],
  ])('a status of %d gives %d: a response can carry 400 to 599', async (status_code, status) => {
    const answer = await put(
      rule('ssl', { action_parameters: { ...action_parameters, status_code } }),
    )
    expect(answer.status).toBe(status)
  })

  test.each<[string, string, number]>([
    ['10,240 bytes', 'x'.repeat(10_240), 200],
    ['10,241 bytes', 'x'.repeat(10_241), 400],
    ['10,240 bytes in fewer characters', 'ü'.repeat(5120), 200],
    ['10,242 bytes in fewer characters', 'ü'.repeat(5121), 400],
    ['nothing', '', 400],
  ])('content of %s: %#', async (_, content, status) => {
    const answer = await put(
      rule('ssl', { action_parameters: { content, content_type: 'text/plain' } }),
    )
    expect(answer.status).toBe(status)
  })

  test('a zone has at most 100 rules', async () => {
    const rules = Array.from({ length: 100 }, () => rule('ssl'))
    const { status, json } = await put(...rules)
    expect(status).toBe(200)
    const more = await stage.call('POST', `${RULESETS}/${json.result['id']}/rules`, rule('ssl'))
    expect([more.status, more.json.errors[0]?.code]).toEqual([400, 130205])
    expect((await put(...rules, rule('ssl'))).json.errors[0]?.source?.pointer).toBe('/rules')
  })

  test('JSON that is none is saved, and told of', async () => {
    const { status, json } = await put(
      rule('ssl', { action_parameters: { ...action_parameters, content: '{' } }),
    )
    expect([status, json.messages]).toMatchObject([
      200,
      [
        {
          code: 130302,
          message: 'the content is served as JSON and is none',
          source: { pointer: '/rules/0/action_parameters/content' },
        },
      ],
    ])
  })

  test.each([
    ['GET', 404, 10003],
    ['PUT', 400, 130207],
  ])('%s of another phase is answered %d', async (method, status, code) => {
    const path = ENTRY_POINT.replace('http_custom_errors', 'http_ratelimit')
    const answer = await stage.call(method, path, method === 'PUT' ? { rules: [] } : undefined)
    expect([answer.status, answer.json.errors[0]?.code]).toEqual([status, code])
  })
})
