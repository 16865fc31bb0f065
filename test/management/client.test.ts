import { serve, type ServerType } from '@hono/node-server'
import type { AddressInfo } from 'node:net'
import Cloudflare, { toFile } from 'cloudflare'
import Cloudflare6 from 'cloudflare6'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyFor } from '../edge/token/keys.js'
import { contractOf, type Contract } from './contract.js'
import { ACCOUNT, ADMIN, createStage, type Stage } from './stage.js'

let stage: Stage
let server: ServerType
let client: Cloudflare
let client6: Cloudflare6
let contract: Contract

beforeAll(async () => {
  stage = await createStage()
  server = serve({ fetch: stage.management.fetch, hostname: '127.0.0.1', port: 0 })
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const baseURL = `http://127.0.0.1:${port}/client/v4`
  contract = await contractOf(fetch, new URL(baseURL).origin)
  // What the clients get over the network is judged as well.
  const options = { apiToken: ADMIN, baseURL, maxRetries: 0, fetch: contract.fetch }
  client = new Cloudflare(options)
  // Its types know the responses of another fetch.
  client6 = new Cloudflare6({ ...options, fetch: contract.fetch as never })
  await stage.call('POST', '/accounts', { id: ACCOUNT, name: 'Tests' })
})
afterAll(async () => {
  expect(contract.breaches).toEqual([])
  await new Promise((resolve) => server.close(resolve))
  await stage.close()
})

type Keys = Cloudflare.TokenValidation.ConfigurationCreateParams['credentials']['keys']
type EcKey = Extract<Keys[number], { alg: 'ES256' }>
type OctKey = Extract<Keys[number], { kty: 'oct' }>

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}

describe('the published client, version 7', () => {
  test('accounts: create, list, get, update, delete', async () => {
    const made = await client.accounts.create({ name: 'By client' })
    expect(await client.accounts.get({ account_id: made.id })).toEqual(made)
    const changed = {
      account_id: made.id,
      id: made.id,
      name: 'Renamed',
      type: 'enterprise',
    } as const
    expect(await client.accounts.update(changed)).toMatchObject({ name: 'Renamed' })
    expect((await all(client.accounts.list({ per_page: 1 }))).map(({ name }) => name)).toEqual([
      'Renamed',
      'Tests',
    ])
    expect(await client.accounts.delete({ account_id: made.id })).toEqual({ id: made.id })
    await expect(client.accounts.get({ account_id: made.id })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('zones: create, list to the end, get, edit, delete', async () => {
    for (let at = 0; at < 7; at++)
      await client.zones.create({ name: `z${at}.example`, account: { id: ACCOUNT } })
    const zones = await all(client.zones.list({ account: { id: ACCOUNT }, per_page: 3 }))
    expect(zones.map(({ name }) => name)).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((at) => `z${at}.example`),
    )
    const { id } = zones[0]!
    expect(await client.zones.get({ zone_id: id })).toEqual(zones[0])
    expect(await client.zones.edit({ zone_id: id, paused: true })).toMatchObject({ paused: true })
    expect(await client.zones.delete({ zone_id: id })).toEqual({ id })
  })

  test('API tokens: create, verify, list, get, update, roll, delete', async () => {
    const policies = [
      {
        effect: 'allow' as const,
        permission_groups: [{ id: 'zones:read' }],
        resources: { [`com.cloudflare.api.account.${ACCOUNT}`]: '*' },
      },
    ]
    const made = await client.user.tokens.create({ name: 'by client', policies })
    const own = client.withOptions({ apiToken: made.value! })
    expect(await own.user.tokens.verify()).toEqual({ id: made.id, status: 'active' })
    await expect(own.accounts.create({ name: 'no' })).rejects.toMatchObject({ status: 403 })
    expect(await all(client.user.tokens.list({ per_page: 1 }))).toHaveLength(2)
    expect(await client.user.tokens.get(made.id!)).toMatchObject({ name: 'by client' })
    const update = { name: 'renamed', policies }
    expect(await client.user.tokens.update(made.id!, update)).toMatchObject({ name: 'renamed' })
    const value = await client.user.tokens.value.update(made.id!, { body: {} })
    await expect(own.user.tokens.verify()).rejects.toMatchObject({ status: 401 })
    expect(await client.withOptions({ apiToken: value }).user.tokens.verify()).toBeTruthy()
    expect(await all(client.user.tokens.permissionGroups.list())).not.toEqual([])
    expect(await client.user.tokens.delete(made.id!)).toEqual({ id: made.id })
  })

  test('operations: create, bulk create, list to the end, get, delete, bulk delete', async () => {
    const zone = await client.zones.create({ name: 'ops.example', account: { id: ACCOUNT } })
    const zone_id = zone.id
    const { operations } = client.apiGateway
    const one = { method: 'GET', host: 'ops.example', endpoint: '/users/{id}' } as const
    const made = await operations.create({ zone_id, ...one })
    expect(made).toMatchObject({ ...one, endpoint: '/users/{var1}' })
    const body = [one, ...['/a', '/b', '/c'].map((endpoint) => ({ ...one, endpoint }))]
    const bulk = await all(operations.bulkCreate({ zone_id, body }))
    expect(bulk.map(({ operation_id }) => operation_id)[0]).toBe(made.operation_id)
    const listed = await all(operations.list({ zone_id, per_page: 1, host: ['ops.example'] }))
    expect(listed).toEqual(bulk)
    const feature = ['thresholds'] as ['thresholds']
    expect(await operations.get(made.operation_id, { zone_id, feature })).toEqual(made)
    expect(await operations.delete(made.operation_id, { zone_id })).toMatchObject({ success: true })
    await expect(operations.bulkDelete({ zone_id })).rejects.toMatchObject({ status: 400 })
    const rest = bulk.slice(1).map(({ operation_id }) => ({ operation_id }))
    expect(await operations.bulkDelete({ zone_id }, { body: rest })).toMatchObject({
      success: true,
    })
    expect(await all(operations.list({ zone_id }))).toEqual([])
  })

  test('token configurations: create, list to the end, get, edit, credentials, delete', async () => {
    const { id: zone_id } = await client.zones.create({
      name: 'tokens.example',
      account: { id: ACCOUNT },
    })
    const { configuration } = client.tokenValidation
    const es = keyFor('ES256').jwk as unknown as EcKey
    const hs = keyFor('HS256').jwk as unknown as OctKey
    const { k: _secret, ...shown } = hs
    const made = await configuration.create({
      zone_id,
      title: 'By client',
      description: '',
      token_sources: ['http.request.headers["authorization"][0]'],
      token_type: 'JWT',
      credentials: { keys: [es] },
    })
    for (const title of ['b', 'c'])
      await configuration.create({ ...made, zone_id, title, credentials: { keys: [es] } })
    const listed = await all(configuration.list({ zone_id, per_page: 2 }))
    expect(listed.map(({ title }) => title)).toEqual(['By client', 'b', 'c'])
    const { id } = made
    expect(await configuration.get(id, { zone_id })).toEqual(made)
    expect(await configuration.edit(id, { zone_id, title: 'New' })).toMatchObject({
      id,
      title: 'New',
    })
    const { credentials } = configuration
    expect(await credentials.update(id, { zone_id, keys: [es, hs] })).toEqual({ keys: [es, shown] })
    expect(await credentials.edit(id, { zone_id, keys: [shown] })).toEqual({ keys: [shown] })
    const flat = await client6.tokenValidation.configuration.credentials.update(id, {
      zone_id,
      keys: [es],
    })
    expect(flat).toMatchObject({ success: true, errors: [], messages: [], keys: [es] })
    expect(await configuration.delete(id, { zone_id })).toEqual({ id })
  })

  test('rules: create, bulk create, list to the end, get, edit, bulk edit, delete', async () => {
    const { id: zone_id } = await client.zones.create({
      name: 'rules.example',
      account: { id: ACCOUNT },
    })
    const { rules, configuration } = client.tokenValidation
    const { id: config } = await configuration.create({
      zone_id,
      title: 'A',
      description: '',
      token_sources: ['http.request.cookies["token"][0]'],
      token_type: 'JWT',
      credentials: { keys: [keyFor('ES256').jwk as unknown as EcKey] },
    })
    const body = (title: string) => ({
      title,
      description: '',
      action: 'log' as const,
      enabled: true,
      expression: `is_jwt_valid("${config}")`,
      selector: { include: [{ host: ['rules.example'] }] },
    })
    const made = await rules.create({ zone_id, ...body('1') })
    const bulk = await all(rules.bulkCreate({ zone_id, body: ['2', '3', '4'].map(body) }))
    expect(await all(rules.list({ zone_id, per_page: 1 }))).toEqual([made, ...bulk])
    const search = { id: made.id!, action: 'log', enabled: true, host: 'rules.example' } as const
    const more = {
      rule_id: made.id!,
      hostname: 'rules.example',
      token_configuration: [config, 'x'],
    }
    expect(await all(rules.list({ zone_id, ...search, ...more }))).toEqual([made])
    expect(await rules.get(made.id!, { zone_id })).toEqual(made)
    const position = { after: bulk[0]!.id! }
    expect(await rules.edit(made.id!, { zone_id, title: 'one', position })).toMatchObject({
      title: 'one',
    })
    const edits = bulk
      .slice(1)
      .map(({ id }) => ({ id: id!, enabled: false, position: { index: 1 } }))
    expect(await all(rules.bulkEdit({ zone_id, body: edits }))).toHaveLength(2)
    const order = (await all(rules.list({ zone_id }))).map(({ title }) => title)
    expect(order).toEqual(['4', '3', '2', 'one'])
    await expect(configuration.delete(config, { zone_id })).rejects.toMatchObject({ status: 409 })
    for (const { id } of [made, ...bulk]) await rules.delete(id!, { zone_id })
    expect(await all(rules.list({ zone_id }))).toEqual([])
    expect(await configuration.delete(config, { zone_id })).toEqual({ id: config })
  })

  test('schemas: create, list to the end, get, edit, delete, in both spellings', async () => {
    const { id: zone_id } = await client.zones.create({
      name: 'schemas.example',
      account: { id: ACCOUNT },
    })
    const source = JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Shop', version: '1' },
      servers: [{ url: 'https://schemas.example' }],
      paths: { '/carts/{id}': { get: { responses: {} } }, '/{a}.json': { get: {} } },
    })
    const { schemas } = client.schemaValidation
    const made = await schemas.create({
      zone_id,
      kind: 'openapi_v3',
      name: 'petstore schema',
      source,
      validation_enabled: true,
    })
    expect(made).toMatchObject({ kind: 'openapi_v3', source, validation_enabled: true })
    const { userSchemas } = client.apiGateway
    const file = await toFile(new TextEncoder().encode(source), 'shop.json')
    const old = await userSchemas.create({
      zone_id,
      file,
      kind: 'openapi_v3',
      name: 'old',
      validation_enabled: 'false',
    })
    expect(old.schema).toMatchObject({ name: 'old', source, validation_enabled: false })
    expect(old.upload_details?.warnings).toMatchObject([{ locations: ['/paths/~1{a}.json'] }])
    const operations = await all(client.apiGateway.operations.list({ zone_id }))
    expect(operations).toMatchObject([{ host: 'schemas.example', endpoint: '/carts/{var1}' }])
    const listed = await all(schemas.list({ zone_id, per_page: 1 }))
    expect(listed.map(({ name }) => name).toSorted()).toEqual(['old', 'petstore schema'])
    const on = { zone_id, omit_source: true, validation_enabled: true }
    const { source: _, ...short } = made
    expect(await all(userSchemas.list(on))).toEqual([short])
    expect(await schemas.get(made.schema_id, { zone_id })).toEqual(made)
    expect(await userSchemas.get(made.schema_id, on)).toEqual(short)
    const off = { zone_id, validation_enabled: false }
    expect(await schemas.edit(made.schema_id, off)).toMatchObject({ validation_enabled: false })
    const edit = { zone_id, validation_enabled: true } as const
    expect(await userSchemas.edit(made.schema_id, edit)).toEqual(made)
    expect(await schemas.delete(made.schema_id, { zone_id })).toEqual({ schema_id: made.schema_id })
    const deleted = await userSchemas.delete(old.schema.schema_id, { zone_id })
    expect(deleted).toMatchObject({ success: true })
    expect(await all(schemas.list({ zone_id }))).toEqual([])
  })

  test('the audit log: list to the end, narrowed', async () => {
    const { id: zone_id } = await client.zones.create({
      name: 'audit.example',
      account: { id: ACCOUNT },
    })
    for (const paused of [true, false]) await client.zones.edit({ zone_id, paused })
    const zone = { name: 'audit.example' }
    const search = { account_id: ACCOUNT, zone, per_page: 1 }
    const lines = await all(client.auditLogs.list(search))
    expect(lines.map(({ action }) => action?.type).toSorted()).toEqual([
      'create',
      'update',
      'update',
    ])
    expect(lines[0]).toMatchObject({
      actor: { name: 'First administrator' },
      resource: { type: 'zone', id: zone_id },
      owner: { id: ACCOUNT },
    })
    const updates = { ...search, action: { type: 'update' }, direction: 'asc' } as const
    expect(await all(client.auditLogs.list(updates))).toHaveLength(2)
    const nobody = { ...search, actor: { email: 'nobody@example.com' } }
    expect(await all(client.auditLogs.list(nobody))).toEqual([])
    expect(await all(client.auditLogs.list({ ...search, before: '2026-01-31' }))).toEqual([])
    expect(await all(client.auditLogs.list({ ...search, since: '2026-01-31' }))).toHaveLength(3)
  })

  test('a conflict is not tried again', async () => {
    let calls = 0
    const counted: typeof fetch = (...call) => (calls++, fetch(...call))
    const eager = client.withOptions({ maxRetries: 2, fetch: counted })
    await expect(eager.accounts.delete({ account_id: ACCOUNT })).rejects.toMatchObject({
      status: 409,
    })
    expect(calls).toBe(1)
  })

  test('failures come as its own classes, with the messages', async () => {
    await expect(
      client.zones.create({ name: 'a b', account: { id: ACCOUNT } }),
    ).rejects.toMatchObject({
      status: 400,
      errors: [{ code: 10422, source: { pointer: '/name' } }],
    })
    await expect(client.withOptions({ apiToken: 'wrong' }).zones.list()).rejects.toBeInstanceOf(
      Cloudflare.AuthenticationError,
    )
  })
})
