import { beforeAll, describe, expect, test } from 'vitest'
import { createGate, webCrypto } from '../../../src/edge/index.js'
import { compileEdgeErrors } from '../../../src/edge/edge-errors/index.js'
import { postgres, sqlite, useDatabases } from '../databases.js'
import { createZoneStage, ZONE, type Item, type Stage } from '../stage.js'

const ZONE_PATH = `/zones/${ZONE}`
const RULESETS = `${ZONE_PATH}/rulesets`
const ENTRY_POINT = `${RULESETS}/phases/http_custom_errors/entrypoint`
const PAGE = `${ZONE_PATH}/custom_pages/500_errors`
const SETTINGS = `${ZONE_PATH}/edge_errors/settings`

const action_parameters = { content: 'Sorry', content_type: 'text/plain' }
const rule = (ref: string, expression = 'ssl') => ({ ref, expression, action_parameters })

useDatabases(sqlite, postgres)

describe.each([sqlite, postgres])('edge errors in the policy, on $name', (kind) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await createZoneStage(await kind.fresh())
    await stage.call('PATCH', ZONE_PATH, { plan: { id: 'pro' } })
  })

  const policy = async () => (await stage.management.policy(ZONE))!
  const put = (...rules: readonly object[]) => stage.call('PUT', ENTRY_POINT, { rules })
  const rollBack = (version: number) =>
    stage.call('POST', `${ZONE_PATH}/gate/rollback`, { version })

  test('a zone that has said nothing has none', async () => {
    expect((await policy()).zone).not.toHaveProperty('edge_errors')
  })

  test('each change is a version, one that changes nothing is none', async () => {
    const versions = [(await policy()).version]
    const calls: readonly (readonly [string, string, object])[] = [
      ['PUT', ENTRY_POINT, { rules: [rule('a')] }],
      ['PUT', PAGE, { state: 'customized', content: '<p>Back soon' }],
      ['PUT', SETTINGS, { name: 'Shop' }],
    ]
    for (const [method, path, body] of calls) {
      for (const expected of [1, 0]) {
        expect((await stage.call(method, path, body)).status).toBe(200)
        versions.push((await policy()).version)
        expect(versions.at(-1)! - versions.at(-2)!).toBe(expected)
      }
    }
  })

  test('a gate compiles what it is told', async () => {
    const { zone } = await policy()
    expect(zone.edge_errors).toEqual({
      rules: [{ id: expect.any(String), expression: 'ssl', action_parameters }],
      pages: { '5xx': '<p>Back soon' },
      branding: { name: 'Shop' },
    })
    expect(() => compileEdgeErrors(zone.edge_errors)).not.toThrow()
    expect(() => createGate(zone, { crypto: webCrypto() })).not.toThrow()
  })

  test('a rollback brings rules, pages and branding back, and no plan', async () => {
    await put(rule('a'), rule('b', 'not ssl'))
    const before = await policy()
    const shown = (await stage.call('GET', ENTRY_POINT)).json.result
    stage.clock += 1000
    await put(rule('b', 'ssl'), rule('c'))
    await stage.call('PUT', PAGE, { state: 'default' })
    await stage.call('PUT', SETTINGS, { name: 'Other', footer: 'x' })
    expect((await rollBack(before.version)).json.result).toMatchObject({ hash: before.hash })
    expect((await policy()).zone).toEqual(before.zone)
    const again = (await stage.call('GET', ENTRY_POINT)).json.result
    expect(again['id']).toBe(shown['id'])
    const said = ({ rules }: Item) =>
      (rules as readonly Item[]).map(({ id, ref, expression }) => [id, ref, expression])
    expect(said(again)).toEqual(said(shown))

    await stage.call('PATCH', ZONE_PATH, { plan: { id: 'free' } })
    await stage.call('DELETE', `${RULESETS}/${shown['id']}`)
    await rollBack(before.version)
    expect((await policy()).zone.edge_errors).not.toHaveProperty('rules')
    expect(said((await stage.call('GET', ENTRY_POINT)).json.result)).toEqual(said(shown))
    await stage.call('PATCH', ZONE_PATH, { plan: { id: 'pro' } })
    expect((await policy()).zone).toEqual(before.zone)
  })

  test('a rollback to before there were any leaves none', async () => {
    await rollBack(1)
    expect((await policy()).zone).not.toHaveProperty('edge_errors')
    expect((await stage.call('GET', ENTRY_POINT)).json.result['rules']).toEqual([])
    expect((await stage.call('GET', PAGE)).json.result).toMatchObject({ state: 'default' })
  })

  test('what part of a version from before edge errors is restored is nothing', async () => {
    await put(rule('a'))
    const { version } = await policy()
    const rows = await stage.db
      .selectFrom('policy_versions')
      .select('parts')
      .where('zone_id', '=', ZONE)
      .where('version', '=', version)
      .executeTakeFirstOrThrow()
    const { edge_errors: _none, ...parts } = JSON.parse(rows.parts)
    await stage.db
      .updateTable('policy_versions')
      .set({ parts: JSON.stringify(parts) })
      .where('zone_id', '=', ZONE)
      .where('version', '=', version)
      .execute()
    expect((await policy()).zone).not.toHaveProperty('edge_errors')
    expect((await rollBack(version)).status).toBe(200)
    expect((await policy()).zone).not.toHaveProperty('edge_errors')
  })

  test('the log tells of each rule what it was and is', async () => {
    await put()
    await put(rule('a'), rule('b'))
    stage.clock += 1000
    await put(rule('b'), rule('a', 'not ssl'))
    const log = await stage.call('GET', `${ZONE_PATH}/audit_log?object_type=error_rule&per_page=2`)
    const changed = log.json.list.map(({ before, after }) => [before, after] as [Item, Item])
    expect(
      changed.map(([before, after]) => [before['position'], after['position']]),
    ).toContainEqual([1, 2])
    expect(changed.find(([{ ref }]) => ref === 'a')?.[1]).toMatchObject({
      expression: 'not ssl',
      version: '2',
    })
  })

  test('changes at once leave each rule of all of them, or refuse', async () => {
    await put()
    const { json } = await stage.call('GET', ENTRY_POINT)
    const path = `${RULESETS}/${json.result['id']}/rules`
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => stage.call('POST', path, rule(`r${at}`))),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    const after = (await stage.call('GET', ENTRY_POINT)).json.result
    const refs = (after['rules'] as readonly Item[]).map(({ ref }) => ref)
    expect(refs.toSorted()).toEqual(Array.from({ length: 8 }, (_, at) => `r${at}`))
    expect(Number(after['version']) - Number(json.result['version'])).toBe(8)
  })

  test('a zone that goes takes all of it along', async () => {
    await stage.call('PUT', PAGE, { state: 'customized', content: '<p>' })
    await stage.call('PUT', SETTINGS, { name: 'Shop' })
    await stage.call('DELETE', ZONE_PATH)
    for (const table of ['error_rulesets', 'error_pages', 'error_branding'] as const)
      expect(await stage.db.selectFrom(table).selectAll().execute()).toEqual([])
  })
})
