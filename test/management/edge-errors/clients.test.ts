import { serve, type ServerType } from '@hono/node-server'
import type { AddressInfo } from 'node:net'
import Cloudflare from 'cloudflare'
import Cloudflare6 from 'cloudflare6'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, createZoneStage, ZONE, type Stage } from '../stage.js'

let stage: Stage
let server: ServerType
let baseURL: string

const PAGE = '<html><head></head><body>::CLOUDFLARE_ERROR_500S_BOX::</body></html>'

beforeAll(async () => {
  stage = await createZoneStage(undefined, {
    pageOutbound: async () => ({
      status: 200,
      headers: new Headers({ 'content-type': 'text/html' }),
      body: new TextEncoder().encode(PAGE),
    }),
  })
  await stage.call('PATCH', `/zones/${ZONE}`, { plan: { id: 'pro' } })
  server = serve({ fetch: stage.management.fetch, hostname: '127.0.0.1', port: 0 })
  await new Promise((resolve) => server.once('listening', resolve))
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await stage.close()
})

const PHASE = 'http_custom_errors'
const zone_id = ZONE
const serveError = (content: string) => ({
  action: 'serve_error' as const,
  expression: 'http.response.code eq 522',
  action_parameters: { content, content_type: 'text/plain' as const, status_code: 503 },
})

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}

/** Results that the clients' types leave open. */
const open = (result: unknown) =>
  result as { id: string; version: string; rules: { id: string; description: string }[] }
const texts = (result: unknown) => open(result).rules.map(({ description }) => description)

describe('the published client, version 7', () => {
  let client: Cloudflare
  beforeAll(() => {
    client = new Cloudflare({ apiToken: ADMIN, baseURL, maxRetries: 0 })
  })

  test('custom error rules by phase: get, update, try', async () => {
    const { phases } = client.rulesets
    await expect(phases.get(PHASE, { zone_id })).rejects.toMatchObject({
      status: 404,
      errors: [{ code: 10003 }],
    })
    const rules = [serveError('a'), { ...serveError('b'), enabled: false, ref: 'mine' }]
    expect(await phases.update(PHASE, { zone_id, rules, dry_run: true })).toBeNull()
    const made = open(await phases.update(PHASE, { zone_id, rules }))
    expect(made).toMatchObject({ kind: 'zone', phase: PHASE, version: '1' })
    expect(made.rules).toMatchObject([serveError('a'), { ref: 'mine', enabled: false }])
    expect(await phases.get(PHASE, { zone_id })).toEqual(made)
    expect(await phases.update(PHASE, { zone_id, description: 'Ours' })).toMatchObject({
      description: 'Ours',
      version: '2',
      rules: made.rules,
    })
    await expect(phases.get('http_ratelimit', { zone_id })).rejects.toMatchObject({ status: 404 })
  })

  test('custom error rules by ruleset: list, get, update, delete, create', async () => {
    const { rulesets } = client
    const [head] = await all(rulesets.list({ zone_id }))
    const { id } = head!
    expect(await rulesets.get(id, { zone_id })).toMatchObject({ ...head, rules: [{}, {}] })
    const rules = [{ ...serveError('c'), description: 'c' }]
    expect(texts(await rulesets.update(id, { zone_id, rules }))).toEqual(['c'])
    await rulesets.delete(id, { zone_id })
    expect(await all(rulesets.list({ zone_id }))).toEqual([])
    const ruleset = { name: 'Errors', kind: 'zone', phase: PHASE } as const
    expect(await rulesets.create({ zone_id, ...ruleset, rules })).toMatchObject(ruleset)
    await expect(rulesets.create({ zone_id, ...ruleset })).rejects.toMatchObject({ status: 409 })
  })

  test('single rules: create, edit, move, delete', async () => {
    const { rules } = client.rulesets
    const { id, rules: there } = open(await client.rulesets.phases.get(PHASE, { zone_id }))
    const made = open(
      await rules.create(id, {
        zone_id,
        ...serveError('d'),
        description: 'd',
        position: { before: there[0]!.id },
      }),
    )
    expect(texts(made)).toEqual(['d', 'c'])
    const rule = made.rules[0]!.id
    const edit = { zone_id, ruleset_id: id, description: 'e', position: { index: 2 } }
    expect(texts(await rules.edit(rule, edit as never))).toEqual(['c', 'e'])
    expect(texts(await rules.delete(rule, { zone_id, ruleset_id: id }))).toEqual(['c'])
  })

  test('error pages: list, get, update, back to the default', async () => {
    const { customPages } = client
    const pages = await all(customPages.list({ zone_id }))
    expect(pages.map(({ id }) => id)).toContain('1000_errors')
    expect(await customPages.get('500_errors', { zone_id })).toMatchObject({ state: 'default' })
    const url = 'https://shop.example/500.html'
    const custom = { zone_id, state: 'customized', url } as const
    expect(await customPages.update('500_errors', custom)).toMatchObject({
      state: 'customized',
      url,
      required_tokens: ['::CLOUDFLARE_ERROR_500S_BOX::'],
    })
    const back = { zone_id, state: 'default', url: '' } as const
    expect(await customPages.update('500_errors', back)).toMatchObject({ state: 'default' })
    await expect(customPages.get('under_attack', { zone_id })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('plans: list, get, and those of zones', async () => {
    const plans = await all(client.zones.plans.list({ zone_id }))
    expect(plans.map(({ legacy_id }) => legacy_id)).toContain('business')
    expect(await client.zones.plans.get('pro', { zone_id })).toMatchObject({ is_subscribed: true })
    const { plan } = await client.zones.get({ zone_id })
    expect(plan).toMatchObject({ id: 'pro', name: 'Pro Website', legacy_id: 'pro' })
    const edit = { zone_id, plan: { id: 'business' } }
    expect((await client.zones.edit(edit)).plan).toMatchObject({ id: 'business' })
  })

  test('an expression that does not compile is told with its place', async () => {
    const rules = [{ ...serveError('x'), expression: 'http.response.code eq' }]
    const update = client.rulesets.phases.update(PHASE, { zone_id, rules })
    await expect(update).rejects.toMatchObject({
      status: 400,
      errors: [{ code: 130200, source: { pointer: '/rules/0/expression' } }],
    })
  })
})

describe('the published client, version 6', () => {
  let client: Cloudflare6
  beforeAll(() => {
    client = new Cloudflare6({ apiToken: ADMIN, baseURL, maxRetries: 0 })
  })

  test('custom error rules: update, get, list, add, edit, delete', async () => {
    const { rulesets } = client
    const rules = [{ ...serveError('a'), description: 'a' }]
    const made = open(await rulesets.phases.update(PHASE, { zone_id, rules } as never))
    expect(await rulesets.phases.get(PHASE, { zone_id })).toEqual(made)
    expect((await all(rulesets.list({ zone_id }))).map(({ id }) => id)).toEqual([made.id])
    const rule = { zone_id, ...serveError('b'), description: 'b' }
    const added = open(await rulesets.rules.create(made.id, rule as never))
    expect(texts(added)).toEqual(['a', 'b'])
    const last = added.rules[1]!.id
    const edit = { zone_id, description: 'c' }
    expect(texts(await rulesets.rules.edit(made.id, last, edit as never))).toEqual(['a', 'c'])
    expect(texts(await rulesets.rules.delete(made.id, last, { zone_id }))).toEqual(['a'])
    await rulesets.delete(made.id, { zone_id })
    await expect(rulesets.get(made.id, { zone_id })).rejects.toMatchObject({ status: 404 })
  })

  test('error pages: list, update, get', async () => {
    const { customPages } = client
    expect(await all(customPages.list({ zone_id }))).toHaveLength(5)
    const custom = { zone_id, state: 'customized', url: 'https://shop.example/' } as const
    const made = await customPages.update('1000_errors' as never, custom)
    expect(made).toMatchObject({ state: 'customized' })
    expect(await customPages.get('1000_errors' as never, { zone_id })).toEqual(made)
  })
})
