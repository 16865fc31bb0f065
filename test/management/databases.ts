import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { postgresDialect, sqliteDialect } from '../../src/node/store/index.js'
import { openDatabase, type Database } from '../../src/management/store/index.js'
import { newDatabase } from '../postgres-server.mjs'

/** A kind of database, and fresh ones of it. */
export interface DatabaseKind {
  readonly name: string
  fresh(): Promise<Database>
  stop(): Promise<void>
}

export const sqlite: DatabaseKind = (() => {
  let folder: string | undefined
  let count = 0
  const open: Database[] = []
  return {
    name: 'SQLite',
    async fresh() {
      folder ??= mkdtempSync(join(tmpdir(), 'portcullis-'))
      const db = await openDatabase(sqliteDialect(join(folder, `${++count}.db`)))
      open.push(db)
      return db
    },
    async stop() {
      for (const db of open) await db.destroy()
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
})()

/** The server that `test/one-postgres.ts` has for all tests. */
export const postgres: DatabaseKind & { address(): Promise<string> } = (() => {
  const open: Database[] = []
  const address = () =>
    newDatabase(process.env['DATABASE_URL']!, `portcullis_${randomBytes(8).toString('hex')}`)

  return {
    name: 'Postgres',
    /** Of a database that was not there before. */
    address,
    async fresh() {
      const db = await openDatabase(postgresDialect(await address()))
      open.push(db)
      return db
    },
    async stop() {
      for (const db of open) await db.destroy()
    },
  }
})()

/** Closes databases of these kinds after the tests around it. */
export function useDatabases(...kinds: readonly DatabaseKind[]): void {
  afterAll(() => Promise.all(kinds.map((kind) => kind.stop())))
}
