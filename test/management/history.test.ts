import { randomUUID } from 'node:crypto'
import { Kysely, Migrator } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { createManagement } from '../../src/management/index.js'
import { listPage, type Database, type Schema } from '../../src/management/store/index.js'
import { MIGRATIONS } from '../../src/management/store/migrations.js'
import { sqliteDialect } from '../../src/node/store/index.js'
import { keyFor } from '../edge/token/keys.js'
import { ACCOUNT, createStage, createZoneStage, ZONE, type Stage } from './stage.js'

const RULES = `/zones/${ZONE}/token_validation/rules`
const CONFIG = `/zones/${ZONE}/token_validation/config`
const OPERATIONS = `/zones/${ZONE}/api_gateway/operations`
const VERSIONS = `/zones/${ZONE}/gate/versions`
const ROLLBACK = `/zones/${ZONE}/gate/rollback`
const DAY = 86_400_000

const rule = (title: string) => ({ title, action: 'log', expression: 'ssl' })
const hmac = (secret: string) => ({ ...keyFor('HS256').jwk, k: btoa(secret).replaceAll('=', '') })

let stage: Stage
afterEach(() => stage.close())

/** A zone whose history keeps two versions, and what is younger than a day. */
async function shortStage(): Promise<Stage> {
  stage = await createZoneStage()
  const { db } = stage
  const unused = { seal: async () => '', open: async () => '', isCurrent: () => true }
  const random = (bytes: number) => new Uint8Array(bytes)
  const history = { versions: 2, days: 1 }
  createManagement({ db, sealer: unused, now: () => 0, newId: randomUUID, random, history })
  return stage
}

async function rows(db: Database, table: 'policy_parts' | 'secrets'): Promise<number> {
  return (await db.selectFrom(table).select('zone_id').execute()).length
}

const kept = async () => (await stage.call('GET', VERSIONS)).json.list.map(({ version }) => version)

describe('the history', () => {
  test('of a change among many rows grows by what changed', async () => {
    stage = await createZoneStage()
    const many = Array.from({ length: 1000 }, (_, at) => rule(`rule ${at}`))
    const { list } = (await stage.call('POST', `${RULES}/bulk`, many)).json
    const before = await rows(stage.db, 'policy_parts')
    await stage.call('PATCH', `${RULES}/${String(list[500]!['id'])}`, { title: 'other' })
    // The piece with the rule, and the list of pieces.
    expect(await rows(stage.db, 'policy_parts')).toBe(before + 2)
    await stage.call('PATCH', `${RULES}/${String(list[500]!['id'])}`, { position: { index: 1 } })
    expect(await rows(stage.db, 'policy_parts')).toBeLessThanOrEqual(before + 8)
    const policy = await stage.management.policy(ZONE)
    const titles = many.map(({ title }) => title)
    titles.splice(500, 1)
    expect(policy?.zone.rules?.map((each) => (each as { title?: string }).title)).toEqual([
      'other',
      ...titles,
    ])
  })

  test('keeps what is young, however many versions that are', async () => {
    await shortStage()
    for (let at = 0; at < 5; at++) await stage.call('POST', RULES, rule(`${at}`))
    expect(await kept()).toEqual([6, 5, 4, 3, 2, 1])
  })

  test('keeps the newest versions, however old they are', async () => {
    await shortStage()
    await stage.call('POST', RULES, rule('old'))
    await stage.call('POST', RULES, rule('newer'))
    stage.clock += 40 * DAY
    await stage.call('POST', RULES, rule('new'))
    expect(await kept()).toEqual([4, 3])
    expect((await stage.call('GET', `${VERSIONS}?per_page=1&page=2`)).json.result_info).toEqual({
      count: 1,
      page: 2,
      per_page: 1,
      total_count: 2,
      total_pages: 2,
    })
  })

  test('a version that is gone cannot be gone back to, and says so; a kept one can', async () => {
    await shortStage()
    await stage.call('POST', RULES, rule('one'))
    await stage.call('POST', RULES, rule('two'))
    stage.clock += 2 * DAY
    await stage.call('POST', RULES, rule('three'))
    const gone = await stage.call('POST', ROLLBACK, { version: 2 })
    expect([gone.status, gone.json.errors[0]?.message, gone.json.errors[0]?.source]).toEqual([
      404,
      'version 2 is no longer kept: the history begins with version 3',
      { pointer: '/version' },
    ])
    expect((await stage.call('POST', ROLLBACK, { version: 99 })).status).toBe(400)
    expect((await stage.call('POST', ROLLBACK, { version: 3 })).status).toBe(200)
    expect((await stage.call('GET', RULES)).json.list.map(({ title }) => title)).toEqual([
      'one',
      'two',
    ])
    expect(stage.faults).toEqual([])
  })

  test('a replaced secret goes with the last version that names it, not before', async () => {
    await shortStage()
    const body = {
      title: 'Tokens',
      description: '',
      token_type: 'JWT',
      token_sources: ['http.request.cookies["token"][0]'],
      credentials: { keys: [hmac('a'.repeat(32))] },
    }
    const { id } = (await stage.call('POST', CONFIG, body)).json.result
    const keys = [hmac('b'.repeat(32))]
    await stage.call('PUT', `${CONFIG}/${String(id)}/credentials`, { keys })
    expect(await rows(stage.db, 'secrets')).toBe(2)
    await stage.call('POST', ROLLBACK, { version: 2 })
    stage.clock += 2 * DAY
    await stage.call('POST', RULES, rule('one'))
    expect(await kept()).toEqual([5, 4])
    expect(await rows(stage.db, 'secrets')).toBe(1)
    const text = JSON.stringify(await stage.management.policy(ZONE))
    expect(text).toContain(hmac('a'.repeat(32)).k)
    const log = await stage.call('GET', `/zones/${ZONE}/audit_log`)
    expect(log.json.result_info).toMatchObject({ total_count: 5 })
  })

  test('parts that no version is made of are removed, those that came back stay', async () => {
    await shortStage()
    const { id } = (await stage.call('POST', RULES, rule('one'))).json.result
    for (const title of ['two', 'one', 'two', 'one']) {
      stage.clock += 2 * DAY
      await stage.call('PATCH', `${RULES}/${String(id)}`, { title })
      expect(await stage.management.policy(ZONE)).toMatchObject({ zone: { rules: [{ title }] } })
    }
    // The zone, no configurations, no operations, no edge errors; two states of the rules with one
    // piece each.
    expect(await rows(stage.db, 'policy_parts')).toBe(8)
  })
})

test('a store of the time before is carried over', async () => {
  const db = new Kysely<Schema>({ dialect: sqliteDialect(':memory:') })
  const migrate = (names: readonly string[]) => {
    const migrations = Object.fromEntries(names.map((name) => [name, MIGRATIONS[name]!]))
    const provider = { getMigrations: async () => migrations }
    return new Migrator({ db, provider }).migrateToLatest()
  }
  const names = Object.keys(MIGRATIONS)
  await migrate(names.filter((name) => name < '0006'))
  const body = (value: unknown) => JSON.stringify(value)
  const operations = Array.from({ length: 3000 }, (_, at) => ({
    zone_id: ZONE,
    id: `${at}`.padStart(36, '0'),
    method: 'GET',
    host: 'example.com',
    endpoint: `/${at}`,
    match_key: `${at}`,
    created_at: 1_700_000_000_000_000 + (at >> 1),
  }))
  const account = {
    id: ACCOUNT,
    name: 'Tests',
    type: 'standard' as const,
    created_at: 1,
    updated_at: 1,
  }
  await db.insertInto('accounts').values(account).execute()
  const zone = {
    id: ZONE,
    account_id: ACCOUNT,
    name: 'example.com',
    type: 'full',
    paused: 0,
    upstream: null,
    settings: '{}',
    lists: '{}',
    policy_version: 2,
    operation_count: 3000,
    rule_count: 0,
    created_at: 1,
    updated_at: 1,
  }
  await db.insertInto('zones').values(zone).execute()
  for (let at = 0; at < 3000; at += 500)
    await db
      .insertInto('operations')
      .values(operations.slice(at, at + 500))
      .execute()
  const part = (hash: string, value: unknown) => ({ zone_id: ZONE, hash, body: body(value) })
  const { id, name, upstream } = zone
  const wire = operations.map(({ id: operation_id, method, host, endpoint }) => ({
    operation_id,
    method,
    host,
    endpoint,
  }))
  const parts = [
    part('z', { id, name, paused: false, upstream, settings: {}, lists: {} }),
    part('none', []),
    part('before', wire.slice(1)),
    part('now', wire),
  ]
  await db
    .insertInto('policy_parts')
    .values(parts as never)
    .execute()
  const version = (number: number, hash: string) => ({
    zone_id: ZONE,
    version: number,
    hash,
    parts: body({ zone: 'z', token_configurations: 'none', operations: hash, rules: 'none' }),
    actor_id: 'x',
    created_at: number,
  })
  await db
    .insertInto('policy_versions')
    .values([version(1, 'before'), version(2, 'now')])
    .execute()

  expect((await migrate(names)).error).toBeUndefined()
  stage = await createStage(db)
  expect(await listPage(db, { table: 'accounts' }, { page: 1, per_page: 5 })).toMatchObject({
    total: 1,
  })
  const third = await stage.call('GET', `${OPERATIONS}?per_page=1000&page=3&direction=desc`)
  expect(third.json.result_info).toMatchObject({ count: 1000, total_count: 3000 })
  expect(third.json.list.map(({ endpoint }) => endpoint)).toEqual(
    Array.from({ length: 1000 }, (_, at) => `/${999 - at}`),
  )
  const policy = await stage.management.policy(ZONE)
  expect(policy).toMatchObject({ version: 2, hash: 'now', zone: { operations: wire } })
  expect((await stage.call('POST', RULES, rule('one'))).status).toBe(200)
  expect((await stage.call('POST', ROLLBACK, { version: 1 })).status).toBe(200)
  expect((await stage.management.policy(ZONE))?.zone.operations).toEqual(wire.slice(1))
})
