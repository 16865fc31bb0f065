import { beforeAll, describe, expect, test } from 'vitest'
import { CONFIG, config, idOf, many, NOBODY, refusalOf, rule, RULES, toldBy } from './bodies.js'
import { servedFor } from './served.js'
import type { SpecRow } from './spec-rows.js'

const { call } = servedFor()
/** Ids of configurations and rules by their titles, as queries below name them in braces. */
const ids = new Map<string, string>([['nobody', NOBODY]])
const filled = (query: string): string =>
  query.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids.get(name) ?? '')

beforeAll(async () => {
  for (const title of ['a', 'b', 'unused'])
    ids.set(title, idOf(await call('POST', CONFIG, config({ title }))))
  const on = (host: unknown) => ({ include: [{ host }] })
  for (const changes of [
    { title: '1', action: 'log', selector: on('api.example.com') },
    { title: '2', enabled: false, expression: filled('is_jwt_present("{b}")') },
    { title: '3', selector: on(['www.example.com', 'API.Example.com.']) },
    { title: '4', action: 'log', expression: filled('is_jwt_valid("{a}") or is_jwt_valid("{b}")') },
    { title: '5', selector: { include: [{ host: 'x.org' }, { host: '{any}.example.com' }] } },
    {
      title: '6',
      enabled: false,
      selector: { exclude: [{ operation_ids: ['api.example.com'] }] },
      expression: filled('lookup_json_string(http.request.jwt.claims["{a}"][0], "sub") eq "x"'),
    },
  ])
    ids.set(changes.title, idOf(await call('POST', RULES, rule(changes))))
})

const ALL = ['1', '2', '3', '4', '5', '6']

test.each<[row: SpecRow, query: string, titles: readonly string[]]>([
  ['4.1 GET rules', '', ALL],
  ['4.1 GET rules ?id', 'id={2}', ['2']],
  ['4.1 GET rules ?id', 'id={4}&id={1}', ['1', '4']],
  ['4.1 GET rules ?id', 'id={nobody}', []],
  ['4.1 GET rules ?id', 'id=', []],
  ['4.1 GET rules ?rule_id', 'rule_id={2}', ['2']],
  ['4.1 GET rules ?rule_id', 'rule_id={4}&rule_id={1}', ['1', '4']],
  ['4.1 GET rules ?rule_id', 'rule_id=x', []],
  ['4.1 GET rules ?rule_id', 'id={2}&rule_id={2}', ['2']],
  ['4.1 GET rules ?rule_id', 'id={1}&rule_id={2}', []],
  ['4.1 GET rules ?action', 'action=log', ['1', '4']],
  ['4.1 GET rules ?action', 'action=block', ['2', '3', '5', '6']],
  ['4.1 GET rules ?enabled', 'enabled=true', ['1', '3', '4', '5']],
  ['4.1 GET rules ?enabled', 'enabled=false', ['2', '6']],
  ['4.1 GET rules ?host', 'host=api.example.com', ['1', '3']],
  ['4.1 GET rules ?host', 'host=API.EXAMPLE.COM.', ['1', '3']],
  ['4.1 GET rules ?host', 'host=%7By%7D.example.com', ['5']],
  ['4.1 GET rules ?host', 'host=x.org', ['5']],
  ['4.1 GET rules ?host', 'host=example.com', []],
  ['4.1 GET rules ?host', 'host=', []],
  ['4.1 GET rules ?host', 'host=%25', []],
  ['4.1 GET rules ?hostname', 'hostname=api.example.com', ['1', '3']],
  ['4.1 GET rules ?hostname', 'hostname=Www.example.com', ['3']],
  ['4.1 GET rules ?hostname', 'host=api.example.com&hostname=www.example.com', ['3']],
  ['4.1 GET rules ?hostname', 'hostname=none.example.com', []],
  ['4.1 GET rules ?token_configuration', 'token_configuration={a}', ['4', '6']],
  ['4.1 GET rules ?token_configuration', 'token_configuration={b}', ['2', '4']],
  [
    '4.1 GET rules ?token_configuration',
    'token_configuration={a}&token_configuration={b}',
    ['2', '4', '6'],
  ],
  ['4.1 GET rules ?token_configuration', 'token_configuration[]={b}', ['2', '4']],
  ['4.1 GET rules ?token_configuration', 'token_configuration={unused}', []],
  [
    '4.1 GET rules ?token_configuration',
    'token_configuration={nobody}&token_configuration={b}',
    ['2', '4'],
  ],
  ['4.1 GET rules', 'action=log&enabled=true&host=api.example.com', ['1']],
  ['4.1 GET rules', 'action=block&token_configuration={b}&enabled=false', ['2']],
  ['4.1 GET rules', 'action=log&enabled=false', []],
  ['4.1 GET rules ?page', 'page=1', ALL],
  ['4.1 GET rules ?page', 'page=2', []],
  ['4.1 GET rules ?page', 'page=2147483648', []],
  ['4.1 GET rules ?per_page', 'per_page=2', ['1', '2']],
  ['4.1 GET rules ?per_page', 'per_page=4&page=2', ['5', '6']],
  ['4.1 GET rules ?per_page', 'per_page=1&page=2&action=log', ['4']],
])('%s: ?%s gives %j', async (_row, query, titles) => {
  const { status, json } = await call('GET', `${RULES}?${filled(query)}`)
  expect([status, json.list.map(({ title }) => title)]).toEqual([200, titles])
  expect(json.messages).toEqual([])
  expect(json.result_info).toMatchObject({ count: titles.length, total_count: 6 })
})

test.each<[row: SpecRow, name: string, values: readonly string[]]>([
  ['4.1 GET rules ?action', 'action', ['', 'allow', 'LOG', 'log,block']],
  ['4.1 GET rules ?enabled', 'enabled', ['', '1', 'TRUE', 'yes']],
  ['4.1 GET rules ?page', 'page', ['', '0', '-1', '1.5', '1e1', 'x', '2147483649']],
  ['4.1 GET rules ?per_page', 'per_page', ['', '0', '-1', '1.5', '0x1', 'x', '1001']],
  ['4.1 GET rules ?id', 'id', ['a%00']],
  ['4.1 GET rules ?rule_id', 'rule_id', ['a%00']],
  ['4.1 GET rules ?host', 'host', ['a%00']],
  ['4.1 GET rules ?hostname', 'hostname', ['a%00']],
  ['4.1 GET rules ?token_configuration', 'token_configuration', ['a%00']],
])('%s: %s may be none of %j', async (_row, name, values) => {
  for (const value of values)
    expect([value, ...refusalOf(await call('GET', `${RULES}?${name}=${value}`))]).toEqual([
      value,
      400,
      10422,
      `/${name}`,
    ])
})

test('4.1 GET rules: lists whole rules, in their order', async () => {
  const { json } = await call('GET', RULES)
  for (const [at, title] of ALL.entries()) {
    const { json: one } = await call('GET', `${RULES}/${ids.get(title)}`)
    expect(json.list[at]).toEqual(one.result)
  }
})

test('4.1 GET rules ?page, 4.1 GET rules ?per_page: any size gives the same sequence, to an empty page', async () => {
  for (const query of ['', '&action=block'])
    for (const size of [1, 2, 3, 6]) {
      const whole = (await call('GET', `${RULES}?${query}`)).json.list
      const pages = []
      for (let page = 1; page <= Math.ceil(whole.length / size) + 1; page++)
        pages.push((await call('GET', `${RULES}?page=${page}&per_page=${size}${query}`)).json.list)
      expect(pages.at(-1)).toEqual([])
      expect(pages.flat()).toEqual(whole)
    }
})

test('4.1 GET rules: tells of a parameter without meaning', async () => {
  expect(toldBy(await call('GET', `${RULES}?colour=red`))).toEqual([[10423, '/colour']])
})

describe('a changed rule', () => {
  test('4.1 GET rules ?host, 4.1 GET rules ?token_configuration: is found by what it is now', async () => {
    const id = idOf(
      await call(
        'POST',
        RULES,
        rule({ title: 'x', selector: { include: [{ host: 'old.example.com' }] } }),
      ),
    )
    const found = async (query: string) =>
      (await call('GET', `${RULES}?${filled(query)}`)).json.list.some((one) => one['id'] === id)
    expect(await found('host=old.example.com')).toBe(true)
    await call('PATCH', `${RULES}/${id}`, {
      selector: { include: [{ host: 'new.example.com' }] },
      expression: filled('is_jwt_valid("{unused}")'),
    })
    expect(await found('host=old.example.com')).toBe(false)
    expect(await found('host=new.example.com')).toBe(true)
    expect(await found('token_configuration={unused}')).toBe(true)
    await call('DELETE', `${RULES}/${id}`)
    expect(await found('host=new.example.com')).toBe(false)
    expect(await found('token_configuration={unused}')).toBe(false)
  })
})

test.each(['id', 'rule_id', 'token_configuration'])(
  '4.1 GET rules: %s takes 500 values, and one more is refused',
  async (name) => {
    const query = (count: number) => many(count, (at) => `${name}=${at}`).join('&')
    expect((await call('GET', `${RULES}?${query(500)}`)).status).toBe(200)
    expect(refusalOf(await call('GET', `${RULES}?${query(501)}`))).toEqual([400, 10422, `/${name}`])
  },
)
