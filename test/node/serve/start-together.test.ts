import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/management/store/index.js'
import { sqliteDialect } from '../../../src/node/store/index.js'
import { postgresDialect } from '../../../src/node/store/postgres/index.js'
import { postgres } from '../../management/databases.js'
import { clientOf, startServing, stopServing } from './serving.js'

const PROCESSES = 4
const folder = mkdtempSync(join(tmpdir(), 'portcullis-together-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Gate processes have no part in this. */
const NO_WORKERS = ['--workers', '0']

/** An empty store: the data folder, options for it, and the way to look into its database. */
const STORES = [
  {
    name: 'SQLite',
    async empty(data: string) {
      return { args: NO_WORKERS, dialect: () => sqliteDialect(join(data, 'portcullis.db')) }
    },
  },
  {
    name: 'Postgres',
    async empty() {
      const address = await postgres.address()
      return {
        args: [...NO_WORKERS, '--database', address],
        dialect: () => postgresDialect(address),
      }
    },
  },
]

describe.each(STORES)('processes that start together on an empty $name', ({ name, empty }) => {
  test('make one schema and one administrator, whose token one of them prints', async () => {
    const data = join(folder, name)
    const { args, dialect } = await empty(data)
    const all = await Promise.all(Array.from({ length: PROCESSES }, () => startServing(data, args)))
    const tokens = all.map(({ firstToken }) => firstToken).filter((token) => token !== '')
    expect(tokens).toHaveLength(1)
    for (const each of all)
      expect(await clientOf(each, tokens[0]!).user.tokens.verify()).toMatchObject({
        status: 'active',
      })
    for (const { code } of await Promise.all(all.map((each) => stopServing(each))))
      expect(code).toBe(0)
    const db = await openDatabase(dialect())
    const made = await db.selectFrom('audit_log').select(['object_type', 'request_id']).execute()
    expect(made).toEqual([{ object_type: 'api_token', request_id: 'start' }])
    const { rows } = await sql`select name from kysely_migration`.execute(db)
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length)
    await db.destroy()
  })

  test('take one given token for the same', async () => {
    const data = join(folder, `${name}-given`)
    const { args, dialect } = await empty(data)
    const env = { PORTCULLIS_API_TOKEN: 'one-that-the-operator-chose' }
    const all = await Promise.all(
      Array.from({ length: PROCESSES }, () => startServing(data, args, env)),
    )
    for (const { code, out } of await Promise.all(all.map((each) => stopServing(each)))) {
      expect(code).toBe(0)
      expect(out).not.toContain('token')
    }
    const db = await openDatabase(dialect())
    expect(await db.selectFrom('api_tokens').select('id').execute()).toHaveLength(1)
    await db.destroy()
  })
})
