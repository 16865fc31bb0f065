import { describe, expect, test } from 'vitest'
import { keyFor } from '../../edge/token/keys.js'
import { ACCOUNT, ZONE } from '../stage.js'
import { CONFIG, config, idOf, many, NOBODY, refusalOf, RULES, rule, toldBy } from './bodies.js'
import { servedFor } from './served.js'

const served = servedFor('rules', 'rule_configurations', 'token_configurations', 'token_keys')
const { call } = served
const create = (changes: object = {}) => call('POST', CONFIG, config(changes))

const titles = async (query = ''): Promise<readonly unknown[]> =>
  (await call('GET', `${CONFIG}${query}`)).json.list.map(({ title }) => title)

describe('GET', () => {
  test('4.1 GET config: lists whole configurations, the oldest first', async () => {
    const made = []
    for (const title of ['b', 'a', 'c']) made.push((await create({ title })).json.result)
    expect((await call('GET', CONFIG)).json.list).toEqual(made)
  })

  test('4.1 GET config: is empty where there are none', async () => {
    const { status, json } = await call('GET', CONFIG)
    expect([status, json.result]).toEqual([200, []])
    expect(json.result_info).toEqual({
      count: 0,
      page: 1,
      per_page: 20,
      total_count: 0,
      total_pages: 0,
    })
  })

  test('4.1 GET config ?page, 4.1 GET config ?per_page: any size gives the same sequence, to an empty page', async () => {
    const all = many(5, String)
    for (const title of all) await create({ title })
    for (const size of [1, 2, 3, 5, 1000]) {
      const pages = []
      for (let page = 1; page <= Math.ceil(5 / size) + 1; page++)
        pages.push(await titles(`?page=${page}&per_page=${size}`))
      expect(pages.at(-1)).toEqual([])
      expect(pages.flat()).toEqual(all)
    }
  })

  test('4.1 GET config ?per_page: is 20 unless said, 4.1 GET config ?page: is 1', async () => {
    for (let at = 0; at < 21; at++) await create({ title: String(at) })
    expect(await titles()).toEqual(many(20, String))
    expect(await titles('?page=2')).toEqual(['20'])
  })

  test('4.1 GET config/{config_id}: gives that one, as it was answered when it was made', async () => {
    await create()
    const made = await create({ title: 'Second' })
    const { json } = await call('GET', `${CONFIG}/${idOf(made)}`)
    expect(json).toEqual({ ...made.json, messages: [] })
  })
})

describe('DELETE', () => {
  test('4.1 DELETE config/{config_id}: answers the id, and takes the keys along', async () => {
    const kept = await create()
    const id = idOf(await create({ credentials: { keys: [keyFor('HS256').jwk] } }))
    const { status, json } = await call('DELETE', `${CONFIG}/${id}`)
    expect([status, json.result]).toEqual([200, { id }])
    expect((await call('GET', CONFIG)).json.list).toEqual([kept.json.result])
    const rows = await served.stage.db
      .selectFrom('token_keys')
      .selectAll()
      .where('configuration_id', '=', id)
      .execute()
    expect(rows).toEqual([])
    expect((await call('DELETE', `${CONFIG}/${id}`)).status).toBe(404)
  })

  test('4.1 DELETE config/{config_id}: is refused while rules name it, with each of them, and not to be repeated', async () => {
    const id = idOf(await create())
    const rules = []
    for (const changes of [
      { expression: `is_jwt_valid("${id}")`, title: 'One' },
      { expression: `not is_jwt_present("${id}")`, title: 'Two', enabled: false },
      { expression: `lookup_json_string(http.request.jwt.claims["${id}"][0], "sub") eq "x"` },
    ])
      rules.push(idOf(await call('POST', RULES, rule(changes))))
    const answer = await call('DELETE', `${CONFIG}/${id}`)
    expect(answer.status).toBe(409)
    expect(answer.headers.get('x-should-retry')).toBe('false')
    const [first, ...rest] = answer.json.errors
    expect([first?.code, rest.length]).toEqual([110206, 3])
    for (const [at, ruleId] of rules.entries()) expect(rest[at]?.message).toContain(ruleId)
    expect((await call('GET', `${CONFIG}/${id}`)).status).toBe(200)
    for (const ruleId of rules) await call('DELETE', `${RULES}/${ruleId}`)
    expect((await call('DELETE', `${CONFIG}/${id}`)).status).toBe(200)
  })

  test('is refused while a claim header names it', async () => {
    const id = idOf(await create())
    const settings = `/zones/${ZONE}/gate/settings`
    const claim_headers = [{ header: 'x-sub', configuration_id: id, claim: ['sub'] }]
    expect((await call('PATCH', settings, { settings: { claim_headers } })).status).toBe(200)
    const answer = await call('DELETE', `${CONFIG}/${id}`)
    expect(refusalOf(answer)).toEqual([409, 110206, undefined])
    expect(answer.json.errors[1]?.message).toContain('x-sub')
    await call('PATCH', settings, { settings: { claim_headers: null } })
  })
})

const EACH: readonly (readonly [row: string, method: string, rest: string, body: unknown])[] = [
  ['4.1 GET config/{config_id}', 'GET', '', undefined],
  ['4.1 PATCH config/{config_id}', 'PATCH', '', {}],
  ['4.1 DELETE config/{config_id}', 'DELETE', '', undefined],
  [
    '4.1 PUT config/{config_id}/credentials',
    'PUT',
    '/credentials',
    { keys: [keyFor('ES256').jwk] },
  ],
  ['PATCH credentials', 'PATCH', '/credentials', { keys: [keyFor('ES256').jwk] }],
]

test.each(EACH)('%s: of none is 404', async (_row, method, rest, body) => {
  for (const id of [NOBODY, 'x', '..%2f..', "'%20or%201=1"])
    expect(refusalOf(await call(method, `${CONFIG}/${id}${rest}`, body))).toEqual([
      404,
      10404,
      undefined,
    ])
})

test.each(EACH)('%s: of another zone is 404', async (_row, method, rest, body) => {
  const id = idOf(await create())
  const name = `${method.toLowerCase()}${rest.length}.example`
  const zone = await call('POST', '/zones', { name, account: { id: ACCOUNT } })
  const path = `/zones/${idOf(zone)}/token_validation/config`
  expect(refusalOf(await call(method, `${path}/${id}${rest}`, body))).toEqual([
    404,
    10404,
    undefined,
  ])
  expect((await call('GET', path)).json.result).toEqual([])
  expect((await call('GET', `${CONFIG}/${id}`)).status).toBe(200)
})

test.each(['page', 'per_page'])('4.1 GET config ?%s: must be a whole number', async (name) => {
  for (const value of ['', '0', '-1', '1.5', '1e1', '0x1', ' 1', 'x', '1,2', '99999999999'])
    expect(refusalOf(await call('GET', `${CONFIG}?${name}=${encodeURIComponent(value)}`))).toEqual([
      400,
      10422,
      `/${name}`,
    ])
})

test('4.1 GET config: tells of a parameter without meaning', async () => {
  expect(toldBy(await call('GET', `${CONFIG}?colour=red`))).toEqual([[10423, '/colour']])
})
