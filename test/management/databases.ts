import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { postgresDialect, sqliteDialect } from '../../src/node/store/index.js'
import { openDatabase, type Database } from '../../src/management/store/index.js'
import { newDatabase, startPostgres, type PostgresServer } from '../postgres-server.mjs'

/** A kind of database, and fresh ones of it. */
export interface DatabaseKind {
  readonly name: string
  start(): Promise<void>
  fresh(): Promise<Database>
  stop(): Promise<void>
}

export const sqlite: DatabaseKind = (() => {
  let folder = ''
  let count = 0
  const open: Database[] = []
  return {
    name: 'SQLite',
    async start() {
      folder = mkdtempSync(join(tmpdir(), 'portcullis-'))
    },
    async fresh() {
      const db = await openDatabase(sqliteDialect(join(folder, `${++count}.db`)))
      open.push(db)
      return db
    },
    async stop() {
      for (const db of open) await db.destroy()
      rmSync(folder, { recursive: true, force: true })
    },
  }
})()

/** A real server: the one of `DATABASE_URL`, or one from npm that lives as long as the tests. */
export const postgres: DatabaseKind & { address(): Promise<string> } = (() => {
  let url = process.env['DATABASE_URL']
  let server: PostgresServer | undefined
  let count = 0
  const open: Database[] = []
  const address = () => newDatabase(url!, `portcullis_${process.pid}_${++count}`)

  return {
    name: 'Postgres',
    async start() {
      if (url !== undefined) return
      server = await startPostgres()
      url = server.url
    },
    /** Of a database that was not there before. */
    address,
    async fresh() {
      const db = await openDatabase(postgresDialect(await address()))
      open.push(db)
      return db
    },
    async stop() {
      for (const db of open) await db.destroy()
      await server?.remove()
      server = undefined
    },
  }
})()

/** Has databases of these kinds for the tests around it. */
export function useDatabases(...kinds: readonly DatabaseKind[]): void {
  beforeAll(() => Promise.all(kinds.map((kind) => kind.start())), 120_000)
  afterAll(() => Promise.all(kinds.map((kind) => kind.stop())))
}
