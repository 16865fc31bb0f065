import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createZoneStage, ZONE, type Item, type Stage } from '../stage.js'

const RULESETS = `/zones/${ZONE}/rulesets`
const ENTRY_POINT = `${RULESETS}/phases/http_custom_errors/entrypoint`
const PATH = `/zones/${ZONE}`

let stage: Stage
let ruleset: string
let ids: readonly string[]

beforeAll(async () => {
  stage = await createZoneStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  await stage.call('PATCH', PATH, { plan: { id: 'pro' } })
  const { json } = await stage.call('PUT', ENTRY_POINT, {
    rules: ['a', 'b', 'c'].map((ref) => rule({ ref })),
  })
  ruleset = `${RULESETS}/${json.result['id']}`
  ids = (json.result['rules'] as readonly Item[]).map(({ id }) => String(id))
})

const action_parameters = { content: 'Sorry', content_type: 'text/plain' }
const rule = (more: object = {}) => ({ expression: 'ssl', action_parameters, ...more })
const refs = ({ rules }: Item) => (rules as readonly Item[]).map(({ ref }) => ref).join('')
const shown = async () => (await stage.call('GET', ENTRY_POINT)).json.result
const inForce = async () =>
  (await stage.management.policy(ZONE))?.zone.edge_errors as { rules: unknown } | undefined
const headVersion = async () => (await stage.management.policy(ZONE))!.version

describe('single rules of a ruleset', () => {
  test.each<[object, string]>([
    [{}, 'abcn'],
    [{ position: { index: 1 } }, 'nabc'],
    [{ position: { index: 3 } }, 'abnc'],
    [{ position: { index: 99 } }, 'abcn'],
    [{ position: { before: 'b' } }, 'anbc'],
    [{ position: { after: 'a' } }, 'anbc'],
    [{ position: { before: '' } }, 'nabc'],
    [{ position: { after: '' } }, 'abcn'],
  ])('a new rule with %j gives the order %s', async (more, order) => {
    const body = JSON.stringify(rule({ ref: 'n', ...more })).replaceAll(
      /"(before|after)":"([a-c])"/g,
      (_, name, ref) => `"${name}":"${ids['abc'.indexOf(ref)]}"`,
    )
    const { status, json } = await stage.call('POST', `${ruleset}/rules`, JSON.parse(body))
    expect([status, refs(json.result)]).toEqual([200, order])
  })

  test.each<[number, object, string]>([
    [0, { index: 3 }, 'bca'],
    [2, { index: 1 }, 'cab'],
    [1, { index: 2 }, 'abc'],
    [2, { before: 'a' }, 'cab'],
    [0, { after: 'b' }, 'bac'],
    [0, { after: '' }, 'bca'],
  ])('rule %d moved to %j gives the order %s', async (at, position, order) => {
    const body = JSON.stringify({ position }).replaceAll(
      /:"([a-c])"/g,
      (_, ref) => `:"${ids['abc'.indexOf(ref)]}"`,
    )
    const { json } = await stage.call('PATCH', `${ruleset}/rules/${ids[at]}`, JSON.parse(body))
    expect(refs(json.result)).toBe(order)
  })

  test.each([{ before: 'none' }, { after: 'itself' }, { before: 'x', after: 'y' }, { index: 0 }])(
    'no rule goes to %j',
    async (position) => {
      const body = JSON.parse(JSON.stringify({ position }).replace('itself', ids[0]!))
      const { status, json } = await stage.call('PATCH', `${ruleset}/rules/${ids[0]}`, body)
      expect([status, json.errors[0]?.source?.pointer?.slice(0, 9)]).toEqual([400, '/position'])
    },
  )

  test('a change keeps what it does not name', async () => {
    stage.clock += 1000
    const { json } = await stage.call('PATCH', `${ruleset}/rules/${ids[1]}`, { enabled: false })
    const [a, b] = json.result['rules'] as readonly Item[]
    expect(b).toMatchObject({ ...rule(), ref: 'b', enabled: false, version: '2' })
    expect(a).toMatchObject({ version: '1', enabled: true })
    const wrong = await stage.call('PATCH', `${ruleset}/rules/${ids[1]}`, { expression: 'sl' })
    expect([wrong.status, wrong.json.errors[0]?.source?.pointer]).toEqual([400, '/expression'])
  })

  test('a deleted one is gone, and the ruleset is answered', async () => {
    const { json } = await stage.call('DELETE', `${ruleset}/rules/${ids[1]}`)
    expect(refs(json.result)).toBe('ac')
    expect((await stage.call('DELETE', `${ruleset}/rules/${ids[1]}`)).status).toBe(404)
  })

  test.each<[string, string, object?]>([
    ['POST', '/rules', rule()],
    ['PATCH', '/rules/:id', { enabled: false }],
    ['DELETE', '/rules/:id'],
    ['PUT', '', { rules: [rule()] }],
    ['DELETE', ''],
  ])('%s %s as a trial checks everything and keeps nothing', async (method, path, body) => {
    const before = [await shown(), await headVersion()]
    const at = `${ruleset}${path.replace(':id', ids[0]!)}`
    const tried = await stage.call(method, `${at}?dry_run=true`, body)
    expect([tried.status, tried.json.result]).toEqual([200, null])
    if (body !== undefined) {
      const wrong = { ...rule(), expression: 'sl' }
      const bad = method === 'PUT' ? { rules: [wrong] } : wrong
      expect((await stage.call(method, `${at}?dry_run=true`, bad)).status).toBe(400)
    }
    expect([await shown(), await headVersion()]).toEqual(before)
  })

  test.each(['GET', 'PUT', 'DELETE'])('%s of another ruleset finds none', async (method) => {
    const body = method === 'PUT' ? { rules: [] } : undefined
    expect((await stage.call(method, `${RULESETS}/none`, body)).status).toBe(404)
  })

  test('a second ruleset of the phase is refused, a first one is made', async () => {
    const body = { name: 'Mine', kind: 'zone', phase: 'http_custom_errors', rules: [rule()] }
    expect((await stage.call('POST', RULESETS, body)).status).toBe(409)
    await stage.call('DELETE', ruleset)
    expect((await stage.call('POST', RULESETS, body)).json.result).toMatchObject({ name: 'Mine' })
    const other = await stage.call('POST', RULESETS, { ...body, phase: 'http_ratelimit' })
    expect([other.status, other.json.errors[0]?.source?.pointer]).toEqual([400, '/phase'])
  })
})

describe('on a free plan', () => {
  beforeEach(async () => {
    await stage.call('DELETE', ruleset)
    await stage.call('PATCH', PATH, { plan: { id: 'free' } })
  })

  test('rules are refused, and no rules are not', async () => {
    const { status, json } = await stage.call('PUT', ENTRY_POINT, { rules: [rule()] })
    expect([status, json.errors]).toMatchObject([
      403,
      [
        {
          code: 10403,
          message: 'custom error rules need a paid plan, and this zone has the plan free',
          source: { pointer: '/rules' },
        },
      ],
    ])
    expect((await stage.call('PUT', ENTRY_POINT, { rules: [] })).status).toBe(200)
    expect((await stage.call('POST', `${ruleset}/rules`, rule())).status).toBe(403)
  })

  test('rules from a better time stay, tell so, are in force nowhere, and can go', async () => {
    await stage.call('PATCH', PATH, { plan: { id: 'business' } })
    const { json } = await stage.call('PUT', ENTRY_POINT, { rules: [rule(), rule()] })
    const [first] = json.result['rules'] as readonly Item[]
    expect((await inForce())?.rules).toHaveLength(2)

    const down = await stage.call('PATCH', PATH, { plan: { id: 'free' } })
    expect(down.json.messages).toMatchObject([
      {
        code: 130301,
        message:
          'the plan free has no custom error rules: the 2 of this zone are kept and not in force',
        source: { pointer: '/plan/id' },
      },
    ])
    expect(await inForce()).toBeUndefined()
    const kept = await stage.call('GET', ENTRY_POINT)
    expect([kept.json.result, kept.json.messages[0]?.code]).toEqual([json.result, 130301])
    const change = { enabled: false }
    const refused = await stage.call('PATCH', `${ruleset}/rules/${first?.['id']}`, change)
    expect(refused.status).toBe(403)
    expect((await stage.call('DELETE', `${ruleset}/rules/${first?.['id']}`)).status).toBe(200)

    await stage.call('PATCH', PATH, { plan: { id: 'pro' } })
    expect((await inForce())?.rules).toHaveLength(1)
  })
})

describe('lists and settings of the gate', () => {
  test('hold for error rules as well, and none that a rule needs can be taken away', async () => {
    const settings = `${PATH}/gate/settings`
    await stage.call('PATCH', settings, { lists: { Int: { ours: [521, 522] } } })
    const body = { rules: [rule({ expression: 'http.response.code in $ours' })] }
    expect((await stage.call('PUT', ENTRY_POINT, body)).status).toBe(200)
    const { status, json } = await stage.call('PATCH', settings, { lists: {} })
    expect([status, json.errors[0]?.source?.pointer]).toEqual([
      400,
      '/edge_errors/rules/0/expression',
    ])
    expect((await stage.call('PATCH', settings, { settings: { block_status: 403 } })).status).toBe(
      200,
    )
  })
})
