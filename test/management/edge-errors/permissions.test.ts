import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACCOUNT, createZoneStage, ZONE, type Stage } from '../stage.js'

const OTHER = '0'.repeat(31) + '2'

let stage: Stage
let ruleset: string
let tokens: Readonly<Record<'reader' | 'editor' | 'neighbour' | 'stranger', string>>

beforeAll(async () => {
  stage = await createZoneStage()
  await stage.call('PATCH', `/zones/${ZONE}`, { plan: { id: 'pro' } })
  const other = { id: OTHER, name: 'other.example', account: { id: ACCOUNT } }
  await stage.call('POST', '/zones', other)
  const made = await stage.call(
    'PUT',
    `/zones/${ZONE}/rulesets/phases/http_custom_errors/entrypoint`,
    { rules: [] },
  )
  ruleset = String(made.json.result['id'])
  const zone = (id: string) => `com.cloudflare.api.account.zone.${id}`
  tokens = {
    reader: await stage.token(['edge_errors:read'], zone(ZONE)),
    editor: await stage.token(['edge_errors:edit'], zone(ZONE)),
    neighbour: await stage.token(['edge_errors:edit'], zone(OTHER)),
    stranger: await stage.token(['token_validation:edit'], zone(ZONE)),
  }
})
afterAll(() => stage.close())

const rule = { expression: 'ssl', action_parameters: { content: 'x', content_type: 'text/plain' } }

/** Every call, and what it answers to who may read and who may edit. */
test.each<[string, string, object | undefined, number, number]>([
  ['GET', '/rulesets', undefined, 200, 200],
  ['GET', '/rulesets/phases/http_custom_errors/entrypoint', undefined, 200, 200],
  ['PUT', '/rulesets/phases/http_custom_errors/entrypoint', { rules: [] }, 403, 200],
  ['POST', '/rulesets', { name: 'x', kind: 'zone', phase: 'http_custom_errors' }, 403, 409],
  ['GET', '/rulesets/:ruleset', undefined, 200, 200],
  ['PUT', '/rulesets/:ruleset', { rules: [] }, 403, 200],
  ['POST', '/rulesets/:ruleset/rules', rule, 403, 200],
  ['PATCH', '/rulesets/:ruleset/rules/none', {}, 403, 404],
  ['DELETE', '/rulesets/:ruleset/rules/none', undefined, 403, 404],
  ['GET', '/custom_pages', undefined, 200, 200],
  ['GET', '/custom_pages/1020', undefined, 200, 200],
  ['PUT', '/custom_pages/1020', { state: 'default' }, 403, 200],
  ['GET', '/edge_errors/settings', undefined, 200, 200],
  ['PUT', '/edge_errors/settings', {}, 403, 200],
  ['PATCH', '/edge_errors/settings', {}, 403, 200],
  ['POST', '/edge_errors/preview', { error_code: 522 }, 200, 200],
  ['DELETE', '/rulesets/:ruleset', undefined, 403, 200],
])(
  '%s %s wants the right permission for the right zone',
  async (method, path, body, read, edit) => {
    const at = `/zones/${ZONE}${path.replace(':ruleset', ruleset)}`
    const as = async (token: string) => (await stage.call(method, at, body, { token })).status
    expect(await as(tokens.neighbour)).toBe(404)
    expect(await as(tokens.stranger)).toBe(403)
    expect(await as(tokens.reader)).toBe(read)
    expect(await as(tokens.editor)).toBe(edit)
  },
)

test('a ruleset of one zone is nothing in another', async () => {
  const answer = await stage.call('GET', `/zones/${OTHER}/rulesets/${ruleset}`)
  expect(answer.status).toBe(404)
})
