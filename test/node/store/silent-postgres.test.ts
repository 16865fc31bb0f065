import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../../src/management/store/index.js'
import { postgresDialect } from '../../../src/node/store/postgres/index.js'
import { postgres, useDatabases } from '../../management/databases.js'
import { createStage } from '../../management/stage.js'
import { silentProxy, type SilentProxy } from './silent-proxy.js'

/** More than a busy machine takes for any query here. */
const ANSWER_MS = 2000
const GOODBYE_MS = 300
/** Kysely's own. */
const LOCK_OF_MIGRATIONS = '3853314791062309107'
let proxy: SilentProxy
let db: Database

useDatabases(postgres)
beforeEach(async () => {
  proxy = await silentProxy(await postgres.address())
  const patience = { answerMs: ANSWER_MS, goodbyeMs: GOODBYE_MS }
  db = await openDatabase(postgresDialect(proxy.address, patience))
  return async () => {
    await db.destroy()
    proxy.close()
  }
})

test('a database that goes silent is away for calls under way and new ones, and comes back', async () => {
  const stage = await createStage(db)
  const create = (id: string) => stage.call('POST', '/accounts', { id, name: 'Shop' })
  expect((await create('before')).status).toBe(200)
  for (const round of ['one', 'two']) {
    proxy.silent(true)
    const all = await Promise.all([create(`lost-${round}`), stage.call('GET', '/accounts')])
    for (const { status, headers, json } of all) {
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
      expect(json.errors).toMatchObject([
        { code: 10503, message: 'the store does not answer; try again later' },
      ])
    }
    proxy.silent(false)
    expect((await create(`after-${round}`)).status).toBe(200)
  }
  const { json } = await stage.call('GET', '/accounts')
  const ids = json.list.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(['before', 'after-one', 'after-two']))
  stage.management.close()
}, 60_000)

test('a transaction that waits for an answer holds its connection no longer than that', async () => {
  const broken = db.transaction().execute(async (tx) => {
    await tx.selectFrom('accounts').selectAll().execute()
    proxy.silent(true)
    await tx.selectFrom('zones').selectAll().execute()
  })
  await expect(broken).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  proxy.silent(false)
  expect(await db.selectFrom('accounts').selectAll().execute()).toEqual([])
})

test('it is left without a farewell that would last for ever', async () => {
  await db.selectFrom('accounts').selectAll().execute()
  proxy.silent(true)
  const other = await openDatabase(postgresDialect(await postgres.address()))
  await Promise.all([db.destroy(), other.destroy()])
  proxy.silent(false)
})

test('a migration waits for that of another process for as long as it takes', async () => {
  const address = await postgres.address()
  const other = new pg.Client({ connectionString: address })
  await other.connect()
  await other.query('select pg_advisory_lock($1)', [LOCK_OF_MIGRATIONS])
  const opening = openDatabase(postgresDialect(address, { answerMs: ANSWER_MS }))
  await delay(2 * ANSWER_MS)
  await other.end()
  await (await opening).destroy()
})
