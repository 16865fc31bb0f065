import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { sqliteDialect } from '../../src/node/store/index.js'
import { postgresDialect } from '../../src/node/store/postgres/index.js'
import { openDatabase, type Database, type StoreDialect } from '../../src/management/store/index.js'
import { newDatabase } from '../postgres-server.mjs'

/** A kind of database, and fresh ones of it. */
export interface DatabaseKind {
  readonly name: string
  fresh(): Promise<Database>
  stop(): Promise<void>
}

function databaseKind(
  name: string,
  freshDialect: () => StoreDialect | Promise<StoreDialect>,
): DatabaseKind {
  const open: Database[] = []
  return {
    name,
    async fresh() {
      const db = await openDatabase(await freshDialect())
      open.push(db)
      return db
    },
    async stop() {
      for (const db of open.splice(0)) await db.destroy()
    },
  }
}

let folder: string | undefined
let files = 0
const onSqlite = databaseKind('SQLite', () => {
  folder ??= mkdtempSync(join(tmpdir(), 'portcullis-'))
  return sqliteDialect(join(folder, `${++files}.db`))
})

export const sqlite: DatabaseKind = {
  ...onSqlite,
  async stop() {
    await onSqlite.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    // Tests of the next file may be in this process as well.
    folder = undefined
  },
}

/** Of a database that was not there before, on the server that `test/one-postgres.mjs` has for all tests. */
const address = () =>
  newDatabase(process.env['DATABASE_URL']!, `portcullis_${randomBytes(8).toString('hex')}`)

export const postgres = {
  ...databaseKind('Postgres', async () => postgresDialect(await address())),
  address,
}

/** Closes databases of these kinds after the tests around it. */
export function useDatabases(...kinds: readonly DatabaseKind[]): void {
  afterAll(() => Promise.all(kinds.map((kind) => kind.stop())))
}
