import { beforeAll, describe, expect, test } from 'vitest'
import {
  many,
  NOBODY,
  operation,
  OPERATIONS,
  refusalOf,
  rule,
  RULES,
  toldBy,
  UUID,
  without,
  idOf,
  CONFIG,
  config,
} from './bodies.js'
import type { SpecRow } from './spec-rows.js'
import { servedFor } from './served.js'

let configuration = ''
const { call } = servedFor('rules', 'rule_hosts', 'rule_configurations')
const create = (changes: object = {}) => call('POST', RULES, rule(changes))
beforeAll(async () => {
  configuration = idOf(await call('POST', CONFIG, config()))
  await call('POST', OPERATIONS, [operation()])
})

const NO_TEXT = [null, 1, true, [], {}, 'a\0b', '\ud800']
const include = (...entries: readonly unknown[]) => ({ include: entries })
const exclude = (...entries: readonly unknown[]) => ({ exclude: entries })

/** Values that are taken and answered as they are. */
const TAKEN: readonly (readonly [row: SpecRow, member: string, values: readonly unknown[]])[] = [
  ['2.4 action', 'action', ['log', 'block']],
  ['2.4 description', 'description', ['', 'x', 'a\nb', '<b>&"\'', '😀'.repeat(500)]],
  ['2.4 enabled', 'enabled', [true, false]],
  [
    '2.4 expression',
    'expression',
    ['ssl', 'true', 'http.host eq "a" or\n not ssl', 'http.request.uri.path matches "^/a"'],
  ],
  [
    '2.4 selector',
    'selector',
    [{}, { include: null, exclude: null }, { include: [], exclude: [] }],
  ],
  [
    '2.4 selector.include',
    'selector',
    [
      include({ host: 'api.example.com' }),
      include({ host: ['api.example.com'] }),
      include({ host: ['a.example.com', 'b.example.com'] }, { host: 'c.example.com' }),
      include({ host: '{x}.example.com' }),
      include({ host: 'API.Example.com.' }),
      include({ host: [] }),
    ],
  ],
  [
    '2.4 selector.exclude',
    'selector',
    [
      exclude({ operation_ids: ['x', NOBODY] }),
      exclude({ operation_ids: [] }, {}),
      exclude({ operation_ids: null }),
      { ...include({ host: 'api.example.com' }), ...exclude({ operation_ids: [NOBODY] }) },
    ],
  ],
]

/** Values that are refused, with which code, and where the pointer leads. */
const REFUSED: readonly (readonly [
  row: SpecRow,
  member: string,
  values: readonly unknown[],
  code: number,
  pointer: string,
])[] = [
  ['2.4 action', 'action', [null, 1, '', 'allow', 'LOG', ['log']], 10422, '/action'],
  ['2.4 description', 'description', [...NO_TEXT, 'x'.repeat(501)], 10422, '/description'],
  ['2.4 enabled', 'enabled', [null, 1, 'true', []], 10422, '/enabled'],
  ['2.4 expression', 'expression', [...NO_TEXT, '', 'x'.repeat(4097)], 10422, '/expression'],
  [
    '2.4 expression',
    'expression',
    [
      ' ',
      'ssl and',
      '(ssl',
      'nope',
      'nope eq "x"',
      'nope(ssl)',
      'http.host',
      'http.host eq 1',
      'http.host in $none',
      'http.host matches "("',
      'is_jwt_valid(ssl)',
      `is_jwt_valid("${NOBODY}")`,
      'is_jwt_present("")',
      `lookup_json_string(http.request.jwt.claims["${NOBODY}"][0], "a") eq "x"`,
    ],
    110202,
    '/expression',
  ],
  ['2.4 selector', 'selector', ['x', 1, [], true], 10422, '/selector'],
  [
    '2.4 selector.include',
    'selector',
    [{ include: {} }, { include: 'x' }],
    10422,
    '/selector/include',
  ],
  [
    '2.4 selector.include',
    'selector',
    [include(null), include('x'), include([])],
    10422,
    '/selector/include/0',
  ],
  [
    '2.4 selector.include',
    'selector',
    [
      include({ host: 1 }),
      include({ host: {} }),
      include({ host: '' }),
      include({ host: 'x'.repeat(254) }),
    ],
    10422,
    '/selector/include/0/host',
  ],
  [
    '2.4 selector.include',
    'selector',
    [include({ host: ['a.example', 1] })],
    10422,
    '/selector/include/0/host/1',
  ],
  [
    '2.4 selector.include',
    'selector',
    ['a b', 'https://a.example', 'a.example:80', '*.example', 'foo-{x}.example', 'a..b', '.a'].map(
      (host) => include({ host }),
    ),
    110203,
    '/selector/include/0/host',
  ],
  [
    '2.4 selector.include',
    'selector',
    [include({ host: ['a.example', 'a-{b}'] })],
    110203,
    '/selector/include/0/host/1',
  ],
  [
    '2.4 selector.exclude',
    'selector',
    [{ exclude: {} }, { exclude: 'x' }],
    10422,
    '/selector/exclude',
  ],
  ['2.4 selector.exclude', 'selector', [exclude(null), exclude('x')], 10422, '/selector/exclude/0'],
  [
    '2.4 selector.exclude',
    'selector',
    [exclude({ operation_ids: 'x' }), exclude({ operation_ids: {} })],
    10422,
    '/selector/exclude/0/operation_ids',
  ],
  [
    '2.4 selector.exclude',
    'selector',
    [null, 1, '', 'x'.repeat(65)].map((id) => exclude({ operation_ids: ['y', id] })),
    10422,
    '/selector/exclude/0/operation_ids/1',
  ],
]

describe.each(['POST', 'POST bulk', 'PATCH', 'PATCH bulk'])('%s', (way) => {
  const bulk = way.endsWith('bulk')
  const base = bulk ? '/0' : ''
  /** The same change by each way: what comes before it for a new rule, the rule's id for a change. */
  async function send(changes: object) {
    if (way === 'POST') return create(changes)
    if (way === 'POST bulk') return call('POST', `${RULES}/bulk`, [rule(changes)])
    const id = idOf(await create())
    return bulk
      ? call('PATCH', `${RULES}/bulk`, [{ id, ...changes }])
      : call('PATCH', `${RULES}/${id}`, changes)
  }

  test.each(TAKEN)('%s: %s may be each of %j', async (_row, member, values) => {
    for (const value of values) {
      const { status, json } = await send({ [member]: value })
      const saved = bulk ? json.list[0] : json.result
      expect([status, saved?.[member]]).toEqual([200, value])
    }
  })

  test.each(REFUSED)('%s: %s may be none of %j', async (_row, member, values, code, pointer) => {
    for (const value of values)
      expect([value, ...refusalOf(await send({ [member]: value }))]).toEqual([
        value,
        400,
        code,
        base + pointer,
      ])
  })

  test('2.4 selector: null says the same as none', async () => {
    const { json } = await send({ selector: null })
    expect((bulk ? json.list[0] : json.result)?.['selector']).toEqual({})
  })
})

describe('a rule', () => {
  test('has the members of the spec, and beyond it an id, a title, times and who changed it', async () => {
    const { json } = await create()
    const times = {
      created_at: '2026-01-31T12:00:00.000000Z',
      last_updated: '2026-01-31T12:00:00.000000Z',
    }
    expect(json.result).toEqual({
      ...rule(),
      ...times,
      id: expect.stringMatching(UUID),
      modified_by: 'First administrator',
    })
  })

  test.each<[row: SpecRow, member: string, otherwise: unknown]>([
    ['2.4 description', 'description', ''],
    ['2.4 enabled', 'enabled', true],
    ['2.4 selector', 'selector', {}],
  ])('%s: %s may be left out, and is then %j', async (_row, member, otherwise) => {
    const { status, json } = await call('POST', RULES, without(rule(), member, 'title'))
    expect([status, json.result[member], json.result['title']]).toEqual([200, otherwise, ''])
  })

  test.each<[row: SpecRow, member: string]>([
    ['2.4 action', 'action'],
    ['2.4 expression', 'expression'],
  ])('%s: %s is required', async (_row, member) => {
    const answer = await call('POST', RULES, without(rule(), member))
    expect(refusalOf(answer)).toEqual([400, 10422, `/${member}`])
  })

  test('tells of members without meaning, wherever they are, and keeps none', async () => {
    const selector = include({ host: 'api.example.com', path: '/' })
    const answer = await create({ colour: 1, id: NOBODY, modified_by: 'x', selector })
    expect(toldBy(answer).filter(([code]) => code === 10423)).toEqual([
      [10423, '/selector/include/0/path'],
      [10423, '/colour'],
      [10423, '/id'],
      [10423, '/modified_by'],
    ])
    expect(idOf(answer)).not.toBe(NOBODY)
    expect(answer.json.result['selector']).toEqual(include({ host: 'api.example.com' }))
  })

  test.each([
    ['is_jwt_valid("', 'is_jwt_valid("', 14],
    ['http.host eq 1', 'http.host eq 1', 14],
    ['nope eq "x"', 'nope eq "x"', 1],
    ['ssl and\n  nope', '  nope', 3],
  ])(
    '2.4 expression: %j comes back with line, column and caret',
    async (expression, line, column) => {
      const { json } = await create({ expression })
      const message = json.errors[0]?.message ?? ''
      const number = expression.split('\n').indexOf(line) + 1
      expect(message.startsWith(`line ${number}, column ${column}: `)).toBe(true)
      const [, shown, carets] = message.split('\n')
      expect(shown).toBe(line)
      expect(carets).toMatch(new RegExp(`^ {${column - 1}}\\^+$`))
    },
  )

  test('2.4 expression: of an unknown configuration names the one that was meant', async () => {
    const wrong = configuration.slice(0, -1) + (configuration.endsWith('0') ? '1' : '0')
    const { json } = await create({ expression: `is_jwt_valid("${wrong}")` })
    expect(json.errors[0]?.message).toContain(configuration)
  })

  test('2.4 selector.include: may name more hosts than a statement holds', async () => {
    const host = many(12_000, (at) => `h${at}.example.com`)
    expect((await create({ selector: include({ host }) })).status).toBe(200)
    const { json } = await call('GET', `${RULES}?host=h11999.example.com`)
    expect(json.list).toHaveLength(1)
  })
})
