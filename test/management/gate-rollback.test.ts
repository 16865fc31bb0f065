import { beforeAll, describe, expect, test } from 'vitest'
import { agesInOrder, changeZone } from '../../src/management/store/index.js'
import { keyFor } from '../edge/token/keys.js'
import { postgres, sqlite, useDatabases } from './databases.js'
import { createZoneStage, ZONE, type Stage } from './stage.js'

const GATE = `/zones/${ZONE}/gate`
const OPERATIONS = `/zones/${ZONE}/api_gateway/operations`
const CONFIG = `/zones/${ZONE}/token_validation/config`
const RULES = `/zones/${ZONE}/token_validation/rules`
const secret = keyFor('HS256').jwk

const operation = (endpoint: string) => ({ method: 'GET', host: 'api.example.com', endpoint })

useDatabases(sqlite, postgres)

describe.each([sqlite, postgres])('a rollback on $name', (kind) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await createZoneStage(await kind.fresh())
  })

  async function id(method: string, path: string, body: unknown): Promise<string> {
    const { status, json, text } = await stage.call(method, path, body)
    if (status !== 200) throw new Error(text)
    return String(json.result['id'] ?? json.result['operation_id'])
  }
  const policy = async () => (await stage.management.policy(ZONE))!
  const rollBack = (version: unknown, token?: string) =>
    stage.call('POST', `${GATE}/rollback`, { version }, token === undefined ? {} : { token })

  /** What the API shows of a zone, but for times and who did it. */
  async function shown(): Promise<unknown> {
    const answers = [
      `/zones/${ZONE}`,
      `${GATE}/settings`,
      CONFIG,
      OPERATIONS,
      RULES,
      `${RULES}?host=api.example.com`,
    ].map((path) => stage.call('GET', path))
    const hidden = /"(created_at|last_updated|modified_on|modified_by)":"[^"]*"/g
    return (await Promise.all(answers)).map(({ json: { result, result_info } }) =>
      JSON.stringify({ result, result_info }).replaceAll(hidden, ''),
    )
  }

  test('brings everything back, secrets and order too, as a new version that gates take', async () => {
    const config = await id('POST', CONFIG, {
      title: 'A',
      description: 'first',
      token_type: 'JWT',
      token_sources: ['http.request.headers["authorization"][0]'],
      credentials: { keys: [secret, keyFor('ES256').jwk] },
    })
    const operations = []
    for (const endpoint of ['/a', '/users/{id}', '/b%25', '/c'])
      operations.push(await id('POST', `${OPERATIONS}/item`, operation(endpoint)))
    const rules = []
    for (const title of ['one', 'two', 'three'])
      rules.push(
        await id('POST', RULES, {
          title,
          action: 'block',
          expression: `is_jwt_valid("${config}")`,
          selector: {
            include: [{ host: 'api.example.com' }],
            exclude: [{ operation_ids: [operations[0]] }],
          },
        }),
      )
    await stage.call('PATCH', `${GATE}/settings`, {
      settings: { block_status: 403 },
      lists: { Int: { few: [1, 2] } },
    })
    await stage.call('PATCH', `/zones/${ZONE}`, { upstream: 'http://127.0.0.1:1' })
    const before = await policy()
    const seen = await shown()

    stage.clock += 1000
    await stage.call('DELETE', `${RULES}/${rules[0]}`)
    await stage.call('PATCH', `${RULES}/${rules[2]}`, {
      expression: 'ssl',
      position: { index: 1 },
      selector: {},
    })
    await stage.call('DELETE', `${RULES}/${rules[1]}`)
    expect((await stage.call('DELETE', `${CONFIG}/${config}`)).status).toBe(200)
    await stage.call('DELETE', `${OPERATIONS}/${operations[0]}`)
    await stage.call('DELETE', `${OPERATIONS}/${operations[2]}`)
    await id('POST', `${OPERATIONS}/item`, operation('/new'))
    await stage.call('PATCH', `${GATE}/settings`, { settings: { block_status: null }, lists: {} })
    await stage.call('PATCH', `/zones/${ZONE}`, { upstream: null, paused: true })
    const after = await policy()
    const seenAfter = await shown()
    expect(seenAfter).not.toEqual(seen)

    const { status, json } = await rollBack(before.version)
    expect([status, json.result]).toMatchObject([
      200,
      { version: after.version + 1, hash: before.hash, in_force: true },
    ])
    const restored = await policy()
    expect(restored.zone).toEqual(before.zone)
    expect(JSON.stringify(restored.zone)).toContain(String(secret['k']))
    expect(await shown()).toEqual(seen)

    // What came back can be worked with as if it had never been away.
    expect((await stage.call('DELETE', `${CONFIG}/${config}`)).status).toBe(409)
    const again = await stage.call('POST', `${OPERATIONS}/item`, operation('/b%25'))
    expect(again.json.result['operation_id']).toBe(operations[2])

    expect((await rollBack(after.version)).json.result).toMatchObject({ hash: after.hash })
    expect((await policy()).zone).toEqual(after.zone)
    expect(await shown()).toEqual(seenAfter)
    expect(stage.faults).toEqual([])
  })

  test('is announced, stands in the audit log, and to the version in force changes nothing', async () => {
    const { version } = await policy()
    const heard: number[] = []
    const end = stage.management.onPolicy((_, announced) => heard.push(announced))
    expect((await rollBack(version)).json.result).toMatchObject({ version })
    expect(heard).toEqual([])
    await rollBack(1)
    end()
    expect(heard).toEqual([version + 1])
    const lines = await stage.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('object_type', '=', 'policy')
      .execute()
    expect(lines).toContainEqual({
      before: JSON.stringify({ version }),
      after: JSON.stringify({ restored: 1 }),
    })
  })

  test.each([[99_999], [0], [-1], [1.5], ['1'], [null]])(
    'to version %j is refused',
    async (version) => {
      const before = await policy()
      const { status, json } = await rollBack(version)
      expect([status, json.errors[0]?.source]).toEqual([400, { pointer: '/version' }])
      expect(await policy()).toEqual(before)
    },
  )

  test('to a version that does not compile any more is refused whole', async () => {
    const actor = { id: 'tests', name: 'tests' }
    const at = stage.clock * 1000
    const origin = { actor, request_id: 'r', at, zone_id: ZONE, parts: ['rules'] as const }
    const rule = await id('POST', RULES, { action: 'log', expression: 'ssl' })
    const expressionIs = (expression: string) =>
      changeZone(
        stage.db,
        () => crypto.randomUUID(),
        origin,
        async ({ tx }) => {
          await tx.updateTable('rules').set({ expression }).where('id', '=', rule).execute()
        },
      )
    await expressionIs('from_another_age')
    const bad = await policy()
    await expressionIs('ssl')
    await stage.call('PATCH', `/zones/${ZONE}`, { upstream: 'http://127.0.0.1:2' })
    const before = [await policy(), await shown()]
    const { status, json } = await rollBack(bad.version)
    expect(status).toBe(400)
    expect(json.errors[0]?.source?.pointer).toMatch(/^\/rules\/\d\/expression$/)
    expect([await policy(), await shown()]).toEqual(before)
  })

  test.each([
    [null, 401],
    ['gate', 403],
    ['token_validation:edit', 403],
    ['operator', 200],
  ])('with the permission %s: %i', async (permission, expected) => {
    const token = permission && (await stage.token([permission], `zone:${ZONE}`))
    const { status } = await stage.call('POST', `${GATE}/rollback`, { version: 1 }, { token })
    expect(status).toBe(expected)
  })
})

describe('ages of rows that come back', () => {
  test.each<[string, string[], [string, number][], number[]]>([
    ['none is there', ['a', 'b'], [], [100, 101]],
    ['all are there', ['a', 'b'], [['a', 5], ['b', 9]], [5, 9]], // prettier-ignore
    ['one is missing in front', ['a', 'b'], [['b', 9]], [8, 9]],
    ['one is missing in between', ['a', 'b', 'c'], [['a', 5], ['c', 9]], [5, 6, 9]], // prettier-ignore
    ['there is no room in between', ['a', 'b', 'c', 'd'], [['a', 5], ['c', 6], ['d', 7]], [5, 6, 7, 8]], // prettier-ignore
    ['one is missing at the end', ['a', 'b'], [['a', 5]], [5, 6]],
    ['nothing is wanted', [], [['a', 5]], []],
  ])('%s', (_, ids, known, ages) => {
    expect(agesInOrder(ids, new Map(known), 100)).toEqual(ages)
  })
})
