import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createGate, type GateRequest } from '../../src/edge/index.js'
import { nodeCrypto } from '../../src/node/crypto.js'
import { keyFor, makeToken } from '../edge/token/keys.js'
import { createZoneStage, ZONE, type Answer, type Item, type Stage } from './stage.js'

const PATH = `/zones/${ZONE}/token_validation/rules`
const CONFIG = `/zones/${ZONE}/token_validation/config`
const OPERATIONS = `/zones/${ZONE}/api_gateway/operations`
const NOW = '2026-01-31T12:00:00.000000Z'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let stage: Stage
/** Two configurations. */
let a: string
let b: string

beforeAll(async () => {
  stage = await createZoneStage()
  const make = async (title: string) => {
    const { json } = await stage.call('POST', CONFIG, {
      title,
      description: '',
      token_type: 'jwt',
      token_sources: ['http.request.headers["authorization"][0]'],
      credentials: { keys: [keyFor('ES256').jwk, keyFor('HS256').jwk] },
    })
    return String(json.result['id'])
  }
  a = await make('A')
  b = await make('B')
})
afterAll(() => stage.close())
beforeEach(async () => {
  for (const table of ['rules', 'rule_hosts', 'rule_configurations', 'operations'] as const)
    await stage.db.deleteFrom(table).execute()
})

const rule = (changes: object = {}) => ({
  title: 'Shop',
  description: 'Who buys is a customer',
  action: 'block',
  enabled: true,
  expression: `is_jwt_valid("${a}")`,
  selector: {},
  ...changes,
})
const create = (changes: object = {}): Promise<Answer> => stage.call('POST', PATH, rule(changes))
const idOf = ({ json }: Answer): string => String(json.result['id'])
const titles = async (query = ''): Promise<unknown[]> =>
  (await stage.call('GET', `${PATH}${query}`)).json.list.map(({ title }) => title)
const pointers = ({ json }: Answer) => json.errors.map(({ source }) => source?.pointer)
const codes = ({ json }: Answer) => json.messages.map(({ code }) => code)
async function operations(...all: readonly string[]): Promise<string[]> {
  const body = all.map((text) => {
    const [method, host, endpoint] = text.split(' ')
    return { method, host, endpoint }
  })
  const { json } = await stage.call('POST', OPERATIONS, body)
  return json.list.map(({ operation_id }) => String(operation_id))
}

describe('POST rules', () => {
  test('answers every member of the rule', async () => {
    const selector = {
      include: [{ host: ['api.example.com', 'www.example.com'] }],
      exclude: [{ operation_ids: ['f9c5615e-fe15-48ce-bec6-cfc1946f1bec'] }],
    }
    const { status, json } = await create({ selector })
    expect(status).toBe(200)
    expect(json.result).toEqual({
      ...rule({ selector }),
      id: expect.stringMatching(UUID),
      created_at: NOW,
      last_updated: NOW,
      modified_by: 'First administrator',
    })
  })

  test.each<[string, object]>([
    ['a host as text', { include: [{ host: 'api.example.com' }] }],
    ['hosts as a list', { include: [{ host: ['api.example.com'] }] }],
    ['two entries', { include: [{ host: 'a.example.com' }, { host: ['b.example.com'] }] }],
    ['null lists', { include: null, exclude: null }],
    ['empty lists', { include: [], exclude: [] }],
    ['exclude alone', { exclude: [{ operation_ids: ['x'] }] }],
    ['an exclude without ids', { exclude: [{}] }],
    ['nothing', {}],
  ])('answers a selector with %s in the form it was given', async (_, selector) => {
    const { status, json } = await create({ selector })
    expect([status, json.result['selector']]).toEqual([200, selector])
  })

  test('title, description, enabled and selector may be missing', async () => {
    const { status, json } = await stage.call('POST', PATH, { action: 'log', expression: 'ssl' })
    expect(status).toBe(200)
    expect(json.result).toMatchObject({ title: '', description: '', enabled: true, selector: {} })
  })

  test.each<[string, object, string]>([
    ['no action', { action: undefined }, '/action'],
    ['another action', { action: 'allow' }, '/action'],
    ['no expression', { expression: undefined }, '/expression'],
    ['an empty expression', { expression: '' }, '/expression'],
    ['an expression of 4,097 characters', { expression: `ssl${' '.repeat(4094)}` }, '/expression'],
    ['a title of 51 characters', { title: 'x'.repeat(51) }, '/title'],
    ['a description of 501 characters', { description: 'x'.repeat(501) }, '/description'],
    ['enabled as text', { enabled: 'true' }, '/enabled'],
    ['a selector that is a list', { selector: [] }, '/selector'],
    [
      'a host that is none',
      { selector: { include: [{ host: 'a b' }] } },
      '/selector/include/0/host',
    ],
    [
      'a host of a list that is none',
      { selector: { include: [{ host: ['a.example', 'a-{b}'] }] } },
      '/selector/include/0/host/1',
    ],
    [
      'a host of another kind',
      { selector: { include: [{ host: 1 }] } },
      '/selector/include/0/host',
    ],
    [
      'ids that are no list',
      { selector: { exclude: [{ operation_ids: 'x' }] } },
      '/selector/exclude/0/operation_ids',
    ],
    ['two places at once', { position: { index: 1, before: 'x' } }, '/position'],
    ['the place 0', { position: { index: 0 } }, '/position/index'],
    ['a place before no rule', { position: { before: 'x' } }, '/position/before'],
    ['a place after no rule', { position: { after: 'x' } }, '/position/after'],
  ])('refuses %s', async (_, changes, pointer) => {
    const answer = await create(changes)
    expect([answer.status, pointers(answer)]).toEqual([400, [pointer]])
    expect(await titles()).toEqual([])
  })

  test('members without meaning are told of, wherever they are', async () => {
    const answer = await create({
      colour: 1,
      selector: { include: [{ host: 'example.com', path: '/' }] },
    })
    expect(answer.status).toBe(200)
    expect(
      answer.json.messages
        .filter(({ code }) => code === 10423)
        .map(({ source }) => source?.pointer),
    ).toEqual(['/selector/include/0/path', '/colour'])
  })
})

describe('an expression is compiled when it is saved', () => {
  test.each([
    ['is_jwt_valid("', 'is_jwt_valid("', 14],
    ['http.host eq 1', 'http.host eq 1', 14],
    ['nope eq "x"', 'nope eq "x"', 1],
    ['ssl and\n  nope', '  nope', 3],
  ])('%j comes back with line, column and caret', async (expression, line, column) => {
    const answer = await create({ expression })
    expect([answer.status, pointers(answer)]).toEqual([400, ['/expression']])
    const { code, message } = answer.json.errors[0]!
    const number = expression.split('\n').indexOf(line) + 1
    expect(code).toBe(110202)
    expect(message.startsWith(`line ${number}, column ${column}: `)).toBe(true)
    const [, shown, carets] = message.split('\n')
    expect(shown).toBe(line)
    expect(carets).toMatch(new RegExp(`^ {${column - 1}}\\^+$`))
  })

  test('an unknown configuration is refused, and the one that was meant is named', async () => {
    const wrong = `${a.slice(0, -1)}${a.endsWith('0') ? '1' : '0'}`
    const answer = await create({ expression: `is_jwt_valid("${wrong}")` })
    expect(answer.status).toBe(400)
    expect(answer.json.errors[0]?.message).toContain(a)
  })

  test('it is compiled again when it is changed', async () => {
    const id = idOf(await create())
    const answer = await stage.call('PATCH', `${PATH}/${id}`, { expression: 'nope' })
    expect([answer.status, pointers(answer)]).toEqual([400, ['/expression']])
    const kept = (await stage.call('GET', `${PATH}/${id}`)).json.result
    expect(kept['expression']).toBe(`is_jwt_valid("${a}")`)
  })

  test('what is odd but legal is told of', async () => {
    const answer = await create({ expression: 'any(http.request.headers["X-Mode"][*] eq "on")' })
    expect(answer.json.messages[0]).toMatchObject({
      code: 110302,
      message: expect.stringMatching(/^line 1, column \d+: .*lower-case/),
      source: { pointer: '/expression' },
    })
  })
})

describe('GET rules', () => {
  let ids: string[]
  beforeEach(async () => {
    ids = []
    for (const changes of [
      { title: '1', action: 'log', selector: { include: [{ host: 'api.example.com' }] } },
      { title: '2', enabled: false, expression: `is_jwt_present("${b}")` },
      { title: '3', selector: { include: [{ host: ['www.example.com', 'API.Example.com.'] }] } },
      { title: '4', action: 'log', expression: `is_jwt_valid("${a}") or is_jwt_valid("${b}")` },
      { title: '5', expression: 'ssl', selector: { include: [{ host: '{x}.example.com' }] } },
    ])
      ids.push(idOf(await create(changes)))
  })

  test.each<[string, string[]]>([
    ['', ['1', '2', '3', '4', '5']],
    ['action=log', ['1', '4']],
    ['action=block', ['2', '3', '5']],
    ['enabled=true', ['1', '3', '4', '5']],
    ['enabled=false', ['2']],
    ['host=api.example.com', ['1', '3']],
    ['hostname=api.example.com', ['1', '3']],
    ['host=API.EXAMPLE.COM.', ['1', '3']],
    ['host=%7By%7D.example.com', ['5']],
    ['host=api.example.com&hostname=www.example.com', ['3']],
    ['host=other.example.com', []],
    ['host=', []],
    ['id=unknown', []],
    ['action=log&enabled=true&host=api.example.com', ['1']],
  ])('?%s', async (query, expected) => {
    const { status, json } = await stage.call('GET', `${PATH}?${query}`)
    expect(status).toBe(200)
    expect(json.list.map(({ title }) => title)).toEqual(expected)
    expect(json.result_info).toEqual({
      count: expected.length,
      page: 1,
      per_page: 20,
      total_count: 5,
      total_pages: expected.length === 0 ? 0 : 1,
    })
  })

  test.each(['id', 'rule_id'])('%s selects rules by id, several when repeated', async (name) => {
    expect(await titles(`?${name}=${ids[1]}`)).toEqual(['2'])
    expect(await titles(`?${name}=${ids[3]}&${name}=${ids[0]}`)).toEqual(['1', '4'])
    expect(await titles(`?id=${ids[0]}&rule_id=${ids[1]}`)).toEqual([])
  })

  test('token_configuration selects rules that use any of those', async () => {
    expect(await titles(`?token_configuration=${a}`)).toEqual(['1', '3', '4'])
    expect(await titles(`?token_configuration=${b}`)).toEqual(['2', '4'])
    expect(await titles(`?token_configuration=${a}&token_configuration=${b}`)).toEqual([
      '1',
      '2',
      '3',
      '4',
    ])
    expect(await titles('?token_configuration=none')).toEqual([])
  })

  test.each(['action=allow', 'enabled=1', 'page=0', 'per_page=x'])(
    '%s is refused',
    async (query) => {
      const answer = await stage.call('GET', `${PATH}?${query}`)
      expect([answer.status, pointers(answer)]).toEqual([400, [`/${query.split('=')[0]}`]])
    },
  )

  test('in pages of any size it is the same sequence, and a page past the end is empty', async () => {
    for (const size of [1, 2, 3, 5]) {
      const seen = []
      for (let page = 1; page <= 6; page++)
        seen.push(...(await titles(`?page=${page}&per_page=${size}`)))
      expect(seen).toEqual(['1', '2', '3', '4', '5'])
    }
  })

  test('a changed rule is found by what it is now', async () => {
    await stage.call('PATCH', `${PATH}/${ids[0]}`, {
      selector: { include: [{ host: 'www.example.com' }] },
      expression: `is_jwt_valid("${b}")`,
    })
    expect(await titles('?host=api.example.com')).toEqual(['3'])
    expect(await titles('?host=www.example.com')).toEqual(['1', '3'])
    expect(await titles(`?token_configuration=${b}`)).toEqual(['1', '2', '4'])
  })
})

test('a selector may name more hosts than a statement holds', async () => {
  const host = Array.from({ length: 12_000 }, (_, at) => `h${at}.example.com`)
  expect((await create({ selector: { include: [{ host }] } })).status).toBe(200)
  expect(await titles('?host=h11999.example.com')).toEqual(['Shop'])
  const query = host
    .slice(0, 501)
    .map((each) => `id=${each}`)
    .join('&')
  expect((await stage.call('GET', `${PATH}?${query}`)).status).toBe(400)
})

describe('one rule', () => {
  test('is read, changed in what is given, and deleted', async () => {
    const made = await create()
    const id = idOf(made)
    expect((await stage.call('GET', `${PATH}/${id}`)).json.result).toEqual(made.json.result)
    stage.clock += 1000
    for (const changes of [
      { title: 'New' },
      { description: '' },
      { action: 'log' },
      { enabled: false },
      { expression: 'not ssl' },
      { selector: { include: [] } },
    ]) {
      const before = (await stage.call('GET', `${PATH}/${id}`)).json.result
      const { status, json } = await stage.call('PATCH', `${PATH}/${id}`, changes)
      expect(status).toBe(200)
      expect(json.result).toEqual({
        ...before,
        ...changes,
        last_updated: json.result['last_updated'],
      })
      expect(json.result['last_updated']).not.toBe(NOW)
      expect(json.result['created_at']).toBe(made.json.result['created_at'])
    }
    expect((await stage.call('DELETE', `${PATH}/${id}`)).json.result).toEqual({ id })
    expect((await stage.call('GET', `${PATH}/${id}`)).status).toBe(404)
    stage.clock -= 1000
  })

  test.each(['GET', 'PATCH', 'DELETE'])('%s of one that is not there is 404', async (method) => {
    const path = `${PATH}/00000000-0000-4000-8000-000000000000`
    expect((await stage.call(method, path, method === 'PATCH' ? {} : undefined)).status).toBe(404)
  })
})

describe('the order', () => {
  let ids: Record<string, string>
  beforeEach(async () => {
    ids = {}
    for (const title of ['1', '2', '3', '4', '5']) ids[title] = idOf(await create({ title }))
  })
  const move = (title: string, position: object) =>
    stage.call('PATCH', `${PATH}/${ids[title]}`, { position })

  test.each<[string, (all: Record<string, string>) => object, string]>([
    ['2', () => ({ index: 1 }), '21345'],
    ['2', () => ({ index: 2 }), '12345'],
    ['2', () => ({ index: 4 }), '13425'],
    ['2', () => ({ index: 99 }), '13452'],
    ['1', () => ({ index: 5 }), '23451'],
    ['5', () => ({ index: 1 }), '51234'],
    ['2', (all) => ({ before: all['5'] }), '13425'],
    ['4', (all) => ({ before: all['1'] }), '41235'],
    ['2', (all) => ({ before: all['3'] }), '12345'],
    ['2', (all) => ({ after: all['5'] }), '13452'],
    ['4', (all) => ({ after: all['1'] }), '14235'],
    ['4', (all) => ({ after: all['3'] }), '12345'],
  ])('moving %s by %s gives %s', async (title, position, order) => {
    expect((await move(title, position(ids))).status).toBe(200)
    expect((await titles()).join('')).toBe(order)
    const places = await stage.db
      .selectFrom('rules')
      .select('position')
      .orderBy('position')
      .execute()
    expect(places.map((row) => row.position)).toEqual([1, 2, 3, 4, 5])
  })

  test('a rule next to itself, or to none, is refused and moves nothing', async () => {
    for (const [name, id] of [
      ['before', ids['2']],
      ['after', ids['2']],
      ['after', 'none'],
    ] as const) {
      const answer = await move('2', { [name]: id })
      expect([answer.status, pointers(answer)]).toEqual([400, [`/position/${name}`]])
    }
    expect((await titles()).join('')).toBe('12345')
  })

  test('a new rule may say where it goes', async () => {
    await create({ title: '0', position: { index: 1 } })
    await create({ title: 'x', position: { after: ids['3'] } })
    expect((await titles()).join('')).toBe('0123x45')
  })

  test('a deleted rule leaves no gap', async () => {
    await stage.call('DELETE', `${PATH}/${ids['2']}`)
    await move('5', { index: 2 })
    expect((await titles()).join('')).toBe('1534')
    const places = await stage.db
      .selectFrom('rules')
      .select('position')
      .orderBy('position')
      .execute()
    expect(places.map((row) => row.position)).toEqual([1, 2, 3, 4])
  })

  test('several moves in one call follow one another', async () => {
    const body = [
      { id: ids['5'], position: { index: 1 } },
      { id: ids['1'], position: { after: ids['5'] }, title: 'one' },
      { id: ids['3'], position: { index: 5 } },
    ]
    const { status, json } = await stage.call('PATCH', `${PATH}/bulk`, body)
    expect(status).toBe(200)
    expect(json.list.map(({ title }) => title)).toEqual(['5', 'one', '3'])
    expect((await titles()).join(' ')).toBe('5 one 2 4 3')
  })

  test('several changes of one rule add up', async () => {
    const id = ids['2']
    const body = [
      { id, title: 'x' },
      { id, action: 'log' },
      { id, enabled: false, position: { index: 1 } },
    ]
    expect((await stage.call('PATCH', `${PATH}/bulk`, body)).status).toBe(200)
    const { json } = await stage.call('GET', PATH)
    expect(json.list[0]).toMatchObject({ id, title: 'x', action: 'log', enabled: false })
  })

  test.each<[string, (all: Record<string, string>) => object, number, string]>([
    ['an unknown rule', () => ({ id: 'none', title: 'x' }), 404, '/1/id'],
    ['no id', () => ({ title: 'x' }), 400, '/1/id'],
    ['a bad expression', (all) => ({ id: all['3'], expression: 'nope' }), 400, '/1/expression'],
    [
      'a bad place',
      (all) => ({ id: all['3'], position: { before: 'none' } }),
      400,
      '/1/position/before',
    ],
  ])('of several changes with %s none is made', async (_, bad, status, pointer) => {
    const body = [{ id: ids['5'], position: { index: 1 }, title: 'five' }, bad(ids)]
    const answer = await stage.call('PATCH', `${PATH}/bulk`, body)
    expect([answer.status, pointers(answer)]).toEqual([status, [pointer]])
    expect((await titles()).join('')).toBe('12345')
  })
})

describe('POST rules/bulk', () => {
  test('adds all, in their order', async () => {
    const answer = await stage.call(
      'POST',
      `${PATH}/bulk`,
      ['x', 'y', 'z'].map((title) => rule({ title })),
    )
    expect(answer.status).toBe(200)
    expect(answer.json.list.map(({ title }) => title)).toEqual(['x', 'y', 'z'])
    expect(await titles()).toEqual(['x', 'y', 'z'])
  })

  test('or none, and names every fault', async () => {
    const bad = [
      rule(),
      rule({ expression: 'nope' }),
      rule({ selector: { include: [{ host: '!' }] } }),
    ]
    const answer = await stage.call('POST', `${PATH}/bulk`, bad)
    expect([answer.status, pointers(answer)]).toEqual([
      400,
      ['/1/expression', '/2/selector/include/0/host'],
    ])
    expect(await titles()).toEqual([])
  })
})

describe.each(['PUT', 'POST'])('%s rules/preview', (method) => {
  const preview = async (selector: object, query = '') =>
    stage.call(method, `${PATH}/preview${query}`, selector)

  test('tells the state of each operation, and counts them', async () => {
    const [x, y] = await operations(
      'GET a.example.com /x',
      'GET a.example.com /y',
      'GET b.example.com /x',
    )
    const selector = { include: [{ host: 'A.example.com' }], exclude: [{ operation_ids: [y] }] }
    const { status, json } = await preview(selector)
    expect(status).toBe(200)
    expect(json.result).toMatchObject({
      operations: [
        {
          operation_id: x,
          method: 'GET',
          host: 'a.example.com',
          endpoint: '/x',
          state: 'included',
        },
        { operation_id: y, state: 'excluded' },
        { host: 'b.example.com', state: 'ignored' },
      ],
      total: 3,
      included: 1,
      excluded: 1,
      ignored: 1,
      selected_hosts: ['a.example.com'],
      available_hosts: ['a.example.com', 'b.example.com'],
    })
    expect(json.result_info).toMatchObject({ count: 3, page: 1, per_page: 20, total_count: 3 })
  })

  test.each<[object, number]>([
    [{}, 3],
    [{ include: null }, 3],
    [{ include: [] }, 0],
    [{ include: [{ host: ['a.example.com', 'b.example.com'] }] }, 3],
    [{ exclude: null }, 3],
  ])('%j includes %i', async (selector, included) => {
    await operations('GET a.example.com /x', 'GET a.example.com /y', 'GET b.example.com /x')
    expect((await preview(selector)).json.result).toMatchObject({ total: 3, included })
  })

  test('shows a page of them, and counts all', async () => {
    await operations('GET a.example.com /x', 'GET a.example.com /y', 'GET a.example.com /z')
    const { json } = await preview({}, '?page=2&per_page=2')
    expect(json.result).toMatchObject({ total: 3, included: 3, operations: [{ endpoint: '/z' }] })
    expect(json.result_info).toMatchObject({ count: 1, page: 2, total_pages: 2 })
  })
})

describe('what a rule is told when it is saved', () => {
  test.each<[string, string, boolean | undefined]>([
    ['or not', 'is_jwt_valid("A") or not is_jwt_valid("A")', true],
    ['valid means present', 'not is_jwt_valid("A") or is_jwt_present("A")', true],
    ['valid and absent', 'is_jwt_valid("A") and not is_jwt_present("A")', false],
    [
      'a field and its opposite',
      '(ssl and is_jwt_valid("A")) or not (ssl and is_jwt_valid("A"))',
      true,
    ],
    ['true', 'true', true],
    ['xor with itself', 'ssl xor ssl', false],
    ['two configurations', 'is_jwt_valid("A") or not is_jwt_present("B")', undefined],
    ['an ordinary one', 'is_jwt_valid("A") or not is_jwt_present("A")', undefined],
    ['different fields', 'ssl or not (http.host eq "x")', undefined],
    [
      'inside any',
      'any(http.request.headers["a"][*] eq "x") or not any(http.request.headers["a"][*] eq "y")',
      undefined,
    ],
  ])('%s: always true or false is noticed', async (_, expression, constant) => {
    await operations('GET a.example.com /x')
    const text = expression.replaceAll('"A"', `"${a}"`).replaceAll('"B"', `"${b}"`)
    const answer = await create({ expression: text })
    expect(codes(answer)).toEqual(constant === undefined ? [] : [constant ? 110306 : 110307])
  })

  test('that it covers nothing', async () => {
    await operations('GET a.example.com /x')
    const answer = await create({ selector: { include: [] } })
    expect(codes(answer)).toEqual([110303, 110309])
    expect(answer.json.messages[0]?.message).toContain('leave include out')
    expect(codes(await create({ selector: { include: [{ host: 'b.example.com' }] } }))).toContain(
      110303,
    )
  })

  test('that rules before it leave nothing to it, and which', async () => {
    await operations('GET a.example.com /x', 'GET b.example.com /x')
    const first = idOf(await create({ selector: { include: [{ host: 'a.example.com' }] } }))
    const second = await create({ selector: { include: [{ host: 'a.example.com' }] } })
    expect(codes(second)).toEqual([110304, 110309])
    expect(second.json.messages[0]?.message).toContain(first)
    expect(codes(await create({ enabled: false }))).toEqual([110309])
    expect(codes(await create())).toEqual([])
    expect(codes(await stage.call('PATCH', `${PATH}/${first}`, { enabled: false }))).toEqual([])
  })

  test('that an exclude has no effect', async () => {
    const [x] = await operations('GET a.example.com /x', 'GET b.example.com /x')
    const answer = await create({
      selector: { include: [{ host: 'b.example.com' }], exclude: [{ operation_ids: [x, 'none'] }] },
    })
    const found = answer.json.messages.filter(({ code }) => code === 110305)
    expect(found.map(({ source }) => source?.pointer)).toEqual([
      '/selector/exclude/0/operation_ids/0',
      '/selector/exclude/0/operation_ids/1',
    ])
  })

  test('that browsers send no token with OPTIONS', async () => {
    await operations('OPTIONS a.example.com /x')
    expect(codes(await create())).toEqual([110308])
    const exempt = `is_jwt_valid("${a}") or http.request.method eq "OPTIONS"`
    expect(codes(await create({ expression: exempt, position: { index: 1 } }))).toEqual([])
  })

  test('what no rule covers', async () => {
    await operations('GET a.example.com /x', 'GET b.example.com /x', 'GET b.example.com /y')
    const answer = await create({ selector: { include: [{ host: 'a.example.com' }] } })
    expect(answer.json.messages).toMatchObject([
      { code: 110309, message: 'no enabled rule covers GET b.example.com/x, GET b.example.com/y' },
    ])
  })

  test('of several rules, to which it belongs', async () => {
    await operations('GET a.example.com /x')
    const answer = await stage.call('POST', `${PATH}/bulk`, [rule(), rule()])
    expect(answer.json.messages).toMatchObject([
      { code: 110304, source: { pointer: '/1/selector' } },
    ])
  })
})

describe('a configuration that a rule names', () => {
  test('is not deleted, the rules are listed, and nobody should try again', async () => {
    const [one, two] = [
      await create({ title: 'One' }),
      await create({ title: 'Two', enabled: false }),
    ]
    const answer = await stage.call('DELETE', `${CONFIG}/${a}`)
    expect(answer.status).toBe(409)
    expect(answer.headers.get('x-should-retry')).toBe('false')
    expect(answer.json.errors.map(({ code }) => code)).toEqual([110206, 110206, 110206])
    const said = answer.json.errors.map(({ message }) => message).join('\n')
    for (const each of [one, two]) expect(said).toContain(idOf(each))
    expect((await stage.call('GET', `${CONFIG}/${a}`)).status).toBe(200)
  })
})

test('reading and editing are different rights, and configurations are of the same area', async () => {
  const token = await stage.token(['token_validation:read'], `zone:${ZONE}`)
  expect((await stage.call('GET', PATH, undefined, { token })).status).toBe(200)
  expect((await stage.call('PUT', `${PATH}/preview`, {}, { token })).status).toBe(200)
  for (const [method, path, body] of [
    ['POST', PATH, rule()],
    ['POST', `${PATH}/bulk`, []],
    ['PATCH', `${PATH}/bulk`, []],
    ['DELETE', `${PATH}/x`, undefined],
    ['POST', CONFIG, {}],
    ['PUT', `${CONFIG}/x/credentials`, {}],
  ] as const)
    expect((await stage.call(method, path, body, { token })).status).toBe(403)
})

test('what is stored is a policy that the gate compiles and follows', async () => {
  await operations('GET api.example.com /orders/{id}', 'GET api.example.com /health')
  await create()
  const policy = await stage.management.policy(ZONE)
  expect(policy?.hash).toMatch(/^[0-9a-f]{64}$/)
  const gate = createGate(policy!.zone, { crypto: nodeCrypto(), now: () => stage.clock })
  const decide = (target: string, headers: Item = {}) => {
    const request: GateRequest = {
      method: 'GET',
      host: 'api.example.com',
      target,
      header: (name) => headers[name] as string | undefined,
      headers: () => Object.entries(headers) as [string, string][],
    }
    return gate.decide(request)
  }
  const token = makeToken(keyFor('HS256'))
  expect(decide('/orders/1')).toMatchObject({ action: 'block', reason: 'no_valid_token' })
  expect(decide('/orders/1', { authorization: `Bearer ${token}` })).toMatchObject({
    action: 'pass',
    reason: 'satisfied',
  })
  expect(decide('/nothing')).toMatchObject({ action: 'pass', reason: 'unlisted' })
  await stage.call('PATCH', `/zones/${ZONE}`, { paused: true })
  expect((await stage.management.policy(ZONE))?.zone.rules).toEqual([])
  expect((await stage.management.policy(ZONE, policy!.version))?.zone).toEqual(policy!.zone)
  await stage.call('PATCH', `/zones/${ZONE}`, { paused: false })
})
