import { beforeAll, describe, expect, test } from 'vitest'
import { keyFor } from '../../edge/token/keys.js'
import { ZONE, type Answer } from '../stage.js'
import { CONFIG, config, idOf, many, NOBODY, operation, OPERATIONS, rule, RULES } from './bodies.js'
import { servedFor } from './served.js'

const served = servedFor()
const { call } = served

type Call = [method: string, path: string, body?: unknown]

/** Calls that succeed, one of each form of answer. */
const GOOD: readonly Call[] = [
  ['GET', CONFIG],
  ['POST', CONFIG, config()],
  ['GET', RULES],
  ['POST', RULES, rule()],
  ['POST', `${RULES}/bulk`, [rule()]],
  ['POST', `${RULES}/preview`, {}],
  ['GET', OPERATIONS],
  ['POST', OPERATIONS, [operation()]],
  ['DELETE', OPERATIONS, []],
]

/** A call for each status of a failure. */
const BAD: readonly (readonly [status: number, code: number, call: Call, headers: object])[] = [
  [400, 10422, ['POST', CONFIG, config({ title: 1 })], {}],
  [400, 10400, ['POST', CONFIG], {}],
  [401, 10000, ['GET', CONFIG], { authorization: 'Bearer nobody' }],
  [404, 10404, ['GET', `${CONFIG}/${NOBODY}`], {}],
  [404, 10404, ['GET', `/zones/${ZONE}/token_validation/nothing`], {}],
  [405, 10405, ['DELETE', CONFIG], {}],
  [413, 10413, ['POST', CONFIG, 'x'.repeat(1_000_000)], {}],
  [415, 10415, ['POST', CONFIG, config()], { 'content-type': 'text/plain' }],
]

describe('in a success', () => {
  test.each<Call>([...GOOD])(
    '2.1 errors, 2.1 messages, 2.1 result and 2.1 success: are there, of %s %s',
    async (method, path, body) => {
      const { status, json } = await call(method, path, body)
      expect([status, json.errors, json.success]).toEqual([200, [], true])
      expect(Object.keys(json)).toEqual(expect.arrayContaining(['messages', 'result']))
    },
  )

  test('2.1 messages: tells what was odd though it was taken', async () => {
    const { json } = await call('POST', CONFIG, { ...config(), colour: 'red' })
    expect(json.messages).toEqual([
      {
        code: 10423,
        message: '"colour" has no meaning here and is ignored',
        documentation_url: expect.stringMatching(/\/client\/v4\/docs#code-10423$/),
        source: { pointer: '/colour' },
      },
    ])
  })

  test('2.1 result: is one object, or the list of them', async () => {
    const made = await call('POST', CONFIG, config())
    expect(made.json.result).toMatchObject({ title: 'Customers' })
    expect((await call('GET', CONFIG)).json.list).toContainEqual(made.json.result)
  })
})

describe('in a failure', () => {
  const refused = ([method, path, body]: Call, headers = {}): Promise<Answer> =>
    call(method, path, body, { headers })

  test.each<(typeof BAD)[number]>(BAD)(
    '2.1 errors, 2.1 result and 2.1 success: of a %i with code %i',
    async (status, code, asked, headers) => {
      const answer = await refused(asked, headers)
      expect(answer.status).toBe(status)
      expect(answer.json).toMatchObject({ success: false, result: null, messages: [] })
      expect(answer.json.errors).toMatchObject([{ code }])
    },
  )

  test('2.1 errors: of a 403 and of a 409', async () => {
    const token = await served.stage.token(['token_validation:read'], `zone:${ZONE}`)
    const forbidden = await call('POST', RULES, rule(), { token })
    expect([forbidden.status, forbidden.json.errors[0]?.code]).toEqual([403, 10403])
    const id = idOf(await call('POST', CONFIG, config()))
    const named = await call('POST', RULES, rule({ expression: `is_jwt_valid("${id}")` }))
    const conflict = await call('DELETE', `${CONFIG}/${id}`)
    expect([conflict.status, conflict.json.errors[0]?.code]).toEqual([409, 110206])
    await call('DELETE', `${RULES}/${idOf(named)}`)
    await call('DELETE', `${CONFIG}/${id}`)
  })

  test.each<readonly [row: string, call: Call]>([
    ['of one member', ['POST', CONFIG, config({ title: 1 })]],
    ['of several', ['POST', RULES, { action: 1, expression: 2 }]],
  ])(
    '2.1 message.code, 2.1 message.message and 2.1 message.source: a number, text and a pointer, %s',
    async (_, asked) => {
      for (const told of (await refused(asked)).json.errors)
        expect(told).toEqual({
          code: expect.any(Number),
          message: expect.stringMatching(/\S/),
          documentation_url: expect.any(String),
          source: { pointer: expect.stringMatching(/^\//) },
        })
    },
  )

  test('2.1 message.source: is left out where no member is at fault', async () => {
    const [told] = (await call('GET', `${CONFIG}/${NOBODY}`)).json.errors
    expect(Object.keys(told!)).toEqual(['code', 'message', 'documentation_url'])
  })

  test('2.1 message.documentation_url: leads to a section of the API page', async () => {
    const [told] = (await call('GET', `${CONFIG}/${NOBODY}`)).json.errors as unknown as [
      { readonly documentation_url: string },
    ]
    const url = new URL(told.documentation_url)
    expect(await (await fetch(url)).text()).toContain(` id="${url.hash.slice(1)}"`)
  })
})

describe('result_info', () => {
  const LISTS: readonly (readonly [path: string, query: string])[] = [
    [CONFIG, ''],
    [RULES, 'action=log&'],
    [OPERATIONS, 'endpoint=found&'],
  ]
  beforeAll(async () => {
    for (const table of ['token_configurations', 'rules', 'operations'] as const)
      await served.stage.db.deleteFrom(table).execute()
    await served.stage.db.updateTable('zones').set({ rule_count: 0, operation_count: 0 }).execute()
    for (let at = 0; at < 5; at++) await call('POST', CONFIG, config())
    await call(
      'POST',
      `${RULES}/bulk`,
      many(8, (at) => rule({ action: at < 5 ? 'log' : 'block' })),
    )
    await call(
      'POST',
      OPERATIONS,
      many(9, (at) => operation({ endpoint: at < 5 ? `/found/${at}` : `/${at}` })),
    )
  })

  test.each<[row: string, member: string, expected: readonly [number, number, number]]>([
    ['2.1 result_info.count: of this answer', 'count', [2, 1, 0]],
    ['2.1 result_info.page: the one asked for, past the end too', 'page', [1, 3, 4]],
    ['2.1 result_info.per_page: as asked for', 'per_page', [2, 2, 2]],
    ['2.1 result_info.total_pages: of what is found', 'total_pages', [3, 3, 3]],
  ])('%s', async (_, member, expected) => {
    for (const [path, query] of LISTS)
      for (const [at, page] of [1, 3, 4].entries()) {
        const { json } = await call('GET', `${path}?${query}page=${page}&per_page=2`)
        expect([path, json.result_info?.[member]]).toEqual([path, expected[at]])
        expect(json.list).toHaveLength(json.result_info!['count']!)
      }
  })

  test.each([
    [CONFIG, 5],
    [RULES, 8],
    [OPERATIONS, 9],
  ])('2.1 result_info.total_count: of %s without any search parameters', async (path, total) => {
    for (const query of ['', '?page=9', '?action=log', '?endpoint=found', '?host=none.example.com'])
      expect((await call('GET', path + query)).json.result_info?.['total_count']).toBe(total)
  })
})

test.each(['PUT', 'PATCH'])(
  '2.1 the answer of %s credentials is flat, with the same under result',
  async (method) => {
    const id = idOf(await call('POST', CONFIG, config()))
    const keys = [keyFor('ES384').jwk]
    const { json } = await call(method, `${CONFIG}/${id}/credentials`, { keys })
    expect(json).toEqual({ errors: [], messages: [], success: true, keys, result: { keys } })
  },
)
