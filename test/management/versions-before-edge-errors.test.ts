import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readPolicy } from '../../src/management/store/index.js'
import { createZoneStage, ZONE, type Stage } from './stage.js'

const ZONE_PATH = `/zones/${ZONE}`
const ENTRY_POINT = `${ZONE_PATH}/rulesets/phases/http_custom_errors/entrypoint`
const PAGE = `${ZONE_PATH}/custom_pages/500_errors`
const SETTINGS = `${ZONE_PATH}/edge_errors/settings`
const RULES = `${ZONE_PATH}/token_validation/rules`

/** A zone whose one version was stored when its policy had no part `edge_errors`. */
describe('of a version from before edge errors', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createZoneStage()
    const { parts } = await stage.db
      .selectFrom('policy_versions')
      .select('parts')
      .executeTakeFirstOrThrow()
    const { edge_errors: gone, ...rest } = JSON.parse(parts)
    await stage.db
      .updateTable('policy_versions')
      .set({ parts: JSON.stringify(rest) })
      .execute()
    await stage.db.deleteFrom('policy_parts').where('hash', '=', gone).execute()
  })
  afterEach(() => stage.close())

  const partOf = async (version?: number) =>
    (await readPolicy(stage.db, ZONE, version))?.parts.edge_errors
  const version = async () => (await stage.management.policy(ZONE))!.version

  async function sayAll(): Promise<void> {
    const action_parameters = { content: 'Sorry', content_type: 'text/plain' }
    const calls: readonly (readonly [string, string, object])[] = [
      ['PATCH', ZONE_PATH, { plan: { id: 'pro' } }],
      ['PUT', ENTRY_POINT, { rules: [{ expression: 'ssl', action_parameters }] }],
      ['PUT', PAGE, { state: 'customized', content: '<p>Back soon' }],
      ['PUT', SETTINGS, { name: 'Shop' }],
    ]
    for (const [method, path, body] of calls)
      expect((await stage.call(method, path, body)).status).toBe(200)
  }
  const rollBack = (to: number) => stage.call('POST', `${ZONE_PATH}/gate/rollback`, { version: to })

  test('the part is undefined, and every other one is there', async () => {
    const { parts } = (await readPolicy(stage.db, ZONE))!
    expect(parts).toMatchObject({
      zone: { id: ZONE },
      token_configurations: [],
      operations: [],
      rules: [],
    })
    expect(Object.keys(parts)).toContain('edge_errors')
    expect(parts.edge_errors).toBeUndefined()
  })

  test('a gate is told the rest, the API what there is and how it would look', async () => {
    const document = await stage.call('GET', `${ZONE_PATH}/gate/policy`)
    expect([document.status, document.json]).toMatchObject([200, { id: ZONE }])
    expect(document.json).not.toHaveProperty('edge_errors')
    const asked = { error_code: 1020 }
    const preview = await stage.call('POST', `${ZONE_PATH}/edge_errors/preview`, asked)
    expect([preview.status, preview.json.result]).toMatchObject([200, { answered_by: 'default' }])
    expect((await stage.call('GET', ENTRY_POINT)).status).toBe(404)
  })

  test('a change of something else leaves it out, one of edge errors adds it', async () => {
    await stage.call('POST', RULES, { title: 'one', action: 'log', expression: 'ssl' })
    expect([await version(), await partOf()]).toEqual([2, undefined])
    await stage.call('PUT', SETTINGS, { name: 'Shop' })
    expect([await version(), await partOf()]).toMatchObject([3, { branding: { name: 'Shop' } }])
    expect([await partOf(1), await partOf(2)]).toEqual([undefined, undefined])
  })

  test('the way back takes all that was said since, and the way forth brings it again', async () => {
    await sayAll()
    const said = (await stage.management.policy(ZONE))!
    expect(said.zone.edge_errors).toMatchObject({ pages: { '5xx': '<p>Back soon' } })
    expect((await rollBack(1)).json.result).toMatchObject({ version: said.version + 1 })
    expect(await partOf()).toEqual({ plan: 'pro', rules: [], pages: [], branding: null })
    expect((await stage.management.policy(ZONE))?.zone).not.toHaveProperty('edge_errors')
    expect((await stage.call('GET', ENTRY_POINT)).json.result['rules']).toEqual([])
    expect((await stage.call('GET', PAGE)).json.result).toMatchObject({ state: 'default' })
    expect((await rollBack(said.version)).json.result).toMatchObject({ hash: said.hash })
    expect((await stage.management.policy(ZONE))?.zone).toEqual(said.zone)
    expect(stage.faults).toEqual([])
  })
})
