import { Kysely, Migrator } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MIGRATIONS } from '../../src/management/store/migrations.js'
import {
  newVersion,
  reachDigest,
  rowsAdded,
  type Schema,
} from '../../src/management/store/index.js'
import { sqliteDialect } from '../../src/node/store/index.js'
import { postgres, sqlite, useDatabases } from './databases.js'
import { ACCOUNT, createStage, createZoneStage, ZONE, type Stage } from './stage.js'

const OTHER = 'b'.repeat(32)
const THERE = 'f'.repeat(32)
const PAST = 1_000_000
const SINCE = 2_000_000_000_000_000

const policiesFor = (resource: string, at = 0) =>
  JSON.stringify([
    {
      id: `${at}`,
      effect: 'allow',
      permission_groups: [{ id: 'zones:read' }],
      resources: { [resource]: '*' },
    },
  ])

/** Tokens for what `resourceAt` gives; every third has expired. */
const rowsOf = (many: number, resourceAt: (at: number) => string) =>
  Array.from({ length: many }, (_, at) => ({
    id: `${at}`.padStart(32, '0'),
    name: resourceAt(at),
    hash: `${at}`,
    lookup: `${at}`,
    policies: policiesFor(resourceAt(at), at),
    status: 'active',
    not_before: null,
    expires_at: at % 3 === 0 ? PAST : null,
    last_used_at: null,
    created_at: SINCE + (at >> 1),
    updated_at: SINCE,
    created_by: null,
  }))

async function add({ db }: Stage, rows: ReturnType<typeof rowsOf>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (let at = 0; at < rows.length; at += 100) {
      const some = rows.slice(at, at + 100)
      const whole = some.map(async (row) => ({ ...row, reach: await reachDigest(row.policies) }))
      await tx
        .insertInto('api_tokens')
        .values(await Promise.all(whole))
        .execute()
      await rowsAdded(tx, 'api_tokens', some)
    }
  })
}

const account = (id: string) => `com.cloudflare.api.account.${id}`
const zoneAt = (at: number) => `com.cloudflare.api.account.zone.${`${at}`.padStart(32, '0')}`

/** How many tokens there are, and for what, half of them within reach of one account. */
const CASES: readonly (readonly [string, number, (at: number) => string])[] = [
  ['few tokens', 300, (at) => account(at % 2 === 0 ? ACCOUNT : OTHER)],
  ['many tokens for the same', 2600, (at) => account(at % 2 === 0 ? ACCOUNT : OTHER)],
  [
    'many tokens, each for another zone',
    1200,
    (at) => (at % 2 === 0 ? zoneAt(at + 100) : account(OTHER)),
  ],
]

describe.each([sqlite, postgres])('tokens as one account sees them on $name', (kind) => {
  let stage: Stage
  useDatabases(kind)
  beforeEach(async () => {
    stage = await createZoneStage(await kind.fresh())
    await stage.call('POST', '/accounts', { id: OTHER, name: 'Other' })
  })
  afterEach(() => expect(stage.faults).toEqual([]))

  test.each(CASES)('%s: every page shows what is within reach', async (_name, many, resourceAt) => {
    const zones = Array.from({ length: 1400 }, (_, at) => ({
      id: `${at + 2}`.padStart(32, '0'),
      account_id: ACCOUNT,
      name: `z${at}.example`,
      type: 'full' as const,
      paused: 0,
      settings: '{}',
      lists: '{}',
      policy_version: 0,
      operation_count: 0,
      rule_count: 0,
      created_at: 1,
      updated_at: 1,
    }))
    for (let at = 0; at < zones.length; at += 100)
      await stage.db
        .insertInto('zones')
        .values(zones.slice(at, at + 100))
        .execute()
    const token = await stage.token(['zones:read', 'api_tokens:read'], account(ACCOUNT))
    const rows = rowsOf(many, resourceAt)
    await add(stage, rows)
    const own = await stage.call('GET', '/user/tokens?per_page=1', undefined, { token })
    const first = String(own.json.list[0]?.['id'])
    for (const expired of [true, false])
      for (const way of ['asc', 'desc'])
        for (const page of [1, 2, 4, 7, 40]) {
          const ids = rows
            .filter((row, at) => at % 2 === 0 && (expired || row.expires_at === null))
            .map(({ id }) => id)
          const total = many / 2 + 1
          const all = way === 'asc' ? [first, ...ids] : [first, ...ids].toReversed()
          const query = `direction=${way}&include_expired=${expired}&per_page=200&page=${page}`
          const { json } = await stage.call('GET', `/user/tokens?${query}`, undefined, { token })
          expect(json.list.map(({ id }) => id)).toEqual(all.slice((page - 1) * 200, page * 200))
          expect(json.result_info).toMatchObject({ total_count: total })
        }
  })

  test('a token is within reach by what it may do after a change, not before', async () => {
    const token = await stage.token(['zones:read', 'api_tokens:read'], account(ACCOUNT))
    const policies = (resource: string, permission = 'zones:read') => [
      { permission_groups: [{ id: permission }], resources: { [resource]: '*' } },
    ]
    const made = await stage.call('POST', '/user/tokens', {
      name: 'changes',
      policies: policies(account(ACCOUNT)),
    })
    const path = `/user/tokens/${String(made.json.result['id'])}`
    const seen = async () => {
      const { json } = await stage.call('GET', '/user/tokens', undefined, { token })
      return json.list.some(({ name }) => name === 'changes')
    }
    expect(await seen()).toBe(true)
    const table = [
      [account(OTHER), 'zones:read', false],
      [`com.cloudflare.api.account.zone.${ZONE}`, 'zones:read', true],
      [`com.cloudflare.api.account.zone.${ZONE}`, 'zones:edit', false],
      [account(ACCOUNT), 'api_tokens:read', true],
      ['*', 'zones:read', false],
      [`com.cloudflare.api.account.zone.${THERE}`, 'zones:read', false],
    ] as const
    for (const [resource, permission, visible] of table) {
      await stage.call('PUT', path, { name: 'changes', policies: policies(resource, permission) })
      expect(await seen(), `${resource} ${permission}`).toBe(visible)
    }
    await stage.call('POST', '/zones', {
      id: THERE,
      name: 'there.example',
      account: { id: ACCOUNT },
    })
    expect(await seen()).toBe(true)
  })
})

/** Before which migration they were written, and with what reach. */
const BEFORE = [
  ['0011', {}],
  ['0012', { reach: 'of other policies' }],
] as const

test.each(BEFORE)(
  'tokens from before %s are within reach of whom they were',
  async (next, more) => {
    const db = new Kysely<Schema>({ dialect: sqliteDialect(':memory:') })
    const migrate = (names: readonly string[]) => {
      const migrations = Object.fromEntries(names.map((name) => [name, MIGRATIONS[name]!]))
      return new Migrator({
        db,
        provider: { getMigrations: async () => migrations },
      }).migrateToLatest()
    }
    const names = Object.keys(MIGRATIONS)
    await migrate(names.filter((name) => name < next))
    const rows = rowsOf(1100, (at) => account(at % 2 === 0 ? ACCOUNT : OTHER))
    for (const row of rows)
      await db
        .insertInto('api_tokens')
        .values({ ...row, ...more } as never)
        .execute()
    await db.transaction().execute((tx) => newVersion(tx, { table: 'api_tokens' }))
    expect((await migrate(names)).error).toBeUndefined()
    const reaches = db.selectFrom('api_tokens').select('reach').distinct()
    expect((await reaches.execute()).map(({ reach }) => reach).toSorted()).toEqual(
      (
        await Promise.all([ACCOUNT, OTHER].map((id) => reachDigest(policiesFor(account(id)))))
      ).toSorted(),
    )
    const stage = await createStage(db)
    const token = await stage.token(['zones:read', 'api_tokens:read'], account(OTHER))
    const { json } = await stage.call('GET', '/user/tokens?per_page=5', undefined, { token })
    expect(json.result_info).toMatchObject({ total_count: 551 })
    await stage.close()
  },
)
