import { beforeAll, describe, expect, test } from 'vitest'
import { keyFor } from '../edge/token/keys.js'
import { CONFIG, idOf, RULES } from './rows/bodies.js'
import { ruleStage } from './rule-stage.js'
import { type Answer, type Stage } from './stage.js'

const staged = ruleStage('A', 'B')
const { create, operations, rule } = staged
const codes = ({ json }: Answer) => json.messages.map(({ code }) => code)
let stage: Stage
/** Two configurations. */
let a: string
let b: string
beforeAll(() => {
  stage = staged.stage
  a = staged.ids['A']!
  b = staged.ids['B']!
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
    expect(codes(await stage.call('PATCH', `${RULES}/${first}`, { enabled: false }))).toEqual([])
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

  test('that a configuration has no key, of its own or of its issuer', async () => {
    await operations('GET a.example.com /x')
    const { json } = await stage.call('POST', CONFIG, {
      title: 'Remote',
      description: '',
      token_type: 'JWT',
      token_sources: ['http.request.headers["authorization"][0]'],
      credentials: { jwks_uri: 'https://127.0.0.1/keys' },
    })
    const id = String(json.result['id'])
    const answer = await create({ expression: `is_jwt_valid("${a}") or is_jwt_valid("${id}")` })
    expect(answer.json.messages).toMatchObject([
      { code: 110310, source: { pointer: '/expression' }, message: expect.stringContaining(id) },
    ])
    const keys = [keyFor('ES256').jwk]
    await stage.call('PATCH', `${CONFIG}/${id}/credentials`, { keys })
    expect(
      codes(await create({ expression: `is_jwt_valid("${id}")`, position: { index: 1 } })),
    ).toEqual([])
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
    const answer = await stage.call('POST', `${RULES}/bulk`, [rule(), rule()])
    expect(answer.json.messages).toMatchObject([
      { code: 110304, source: { pointer: '/1/selector' } },
    ])
  })
})
