import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyFor } from '../edge/token/keys.js'
import { createZoneStage, ZONE, type Stage } from './stage.js'

const PATH = `/zones/${ZONE}/gate/settings`
const CONFIG = `/zones/${ZONE}/token_validation/config`
const RULES = `/zones/${ZONE}/token_validation/rules`

let stage: Stage
let config: string
beforeAll(async () => {
  stage = await createZoneStage()
  const { json } = await stage.call('POST', CONFIG, {
    title: 'A',
    description: '',
    token_type: 'JWT',
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: { keys: [keyFor('HS256').jwk] },
  })
  config = String(json.result['id'])
})
afterAll(() => stage.close())

const patch = (body: object) => stage.call('PATCH', PATH, body)

describe('the settings of a gate', () => {
  test('are empty at first, change member by member, and null is the default', async () => {
    expect((await stage.call('GET', PATH)).json.result).toEqual({ settings: {}, lists: {} })
    await patch({ settings: { block_status: 403, unlisted_operations: 'cover' } })
    const { status, json } = await patch({ settings: { block_status: null, strip_tokens: true } })
    expect(status).toBe(200)
    const settings = { unlisted_operations: 'cover', strip_tokens: true }
    expect(json.result).toEqual({ settings, lists: {} })
    expect((await stage.call('GET', PATH)).json.result).toEqual({ settings, lists: {} })
    expect((await stage.management.policy(ZONE))?.zone.settings).toEqual(settings)
    await patch({ settings: { unlisted_operations: null, strip_tokens: null } })
  })

  test.each<[object, string]>([
    [{ settings: { block_status: 200 } }, '/settings/block_status'],
    [{ settings: { merge_slashes: 'yes' } }, '/settings/merge_slashes'],
    [{ settings: [] }, '/settings'],
    [
      { settings: { claim_headers: [{ header: 'x y', configuration_id: 'none', claim: 'sub' }] } },
      '/settings/claim_headers/0/header',
    ],
    [{ lists: { Ip: { office: ['nonsense'] } } }, '/lists/Ip/office'],
    [{ lists: { Int: { few: ['x'] } } }, '/lists/Int/few'],
    [{ lists: { Ip: { 'a b': [] } } }, '/lists/Ip/a b'],
    [{ lists: { Bool: {} } }, '/lists/Bool'],
    [{ lists: { constructor: {} } }, '/lists/constructor'],
    [{ lists: { Ip: { office: 'x' } } }, '/lists/Ip/office'],
  ])('%j is refused and changes nothing', async (body, pointer) => {
    const { status, json } = await patch(body)
    expect(status).toBe(400)
    expect(json.errors[0]?.source?.pointer).toBe(pointer)
    expect((await stage.call('GET', PATH)).json.result).toEqual({ settings: {}, lists: {} })
  })

  test('what means nothing is told of and not kept, wherever it stands', async () => {
    const header = { header: 'x-user', configuration_id: config, claim: 'sub' }
    const { status, json } = await patch({
      settings: { colour: 'red', claim_headers: [{ ...header, colour: 'blue' }] },
    })
    expect(status).toBe(200)
    expect(json.messages).toMatchObject([
      { code: 10423, source: { pointer: '/settings/colour' } },
      { code: 10423, source: { pointer: '/settings/claim_headers/0/colour' } },
    ])
    const kept = { settings: { claim_headers: [header] }, lists: {} }
    expect((await stage.call('GET', PATH)).json.result).toEqual(kept)
    await patch({ settings: { claim_headers: null } })
  })

  test('lists are there for expressions, and stay while one names them', async () => {
    const rule = { title: '', action: 'log', expression: 'ip.src in $office' }
    expect((await stage.call('POST', RULES, rule)).status).toBe(400)
    await patch({ lists: { Ip: { office: ['192.0.2.0/24'] } } })
    const made = await stage.call('POST', RULES, rule)
    expect(made.status).toBe(200)
    const refused = await patch({ lists: {} })
    expect([refused.status, refused.json.errors[0]?.source?.pointer]).toEqual([
      400,
      '/rules/0/expression',
    ])
    await stage.call('DELETE', `${RULES}/${String(made.json.result['id'])}`)
    expect((await patch({ lists: {} })).status).toBe(200)
  })

  test('a configuration that a claim header names is not deleted', async () => {
    const header = { header: 'x-user', configuration_id: config, claim: 'sub' }
    expect((await patch({ settings: { claim_headers: [header] } })).status).toBe(200)
    const refused = await stage.call('DELETE', `${CONFIG}/${config}`)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('x-user')
    await patch({ settings: { claim_headers: null } })
    expect((await stage.call('DELETE', `${CONFIG}/${config}`)).status).toBe(200)
  })
})
