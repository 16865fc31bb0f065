import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newDatabase, startPostgres } from '../test/postgres-server.mjs'

/** Places to make stores in: files, and a Postgres server where one is given or can be had. */
export async function databaseKinds({ url, smoke }) {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-bench-'))
  const { postgresDialect, sqliteDialect } = await import('portcullis/node')
  const sqlite = {
    name: 'SQLite',
    open: async (name) => ({
      ...(await openStore(sqliteDialect(join(folder, name)))),
      async settle() {},
    }),
  }
  const server = url === undefined && !smoke ? await startPostgres() : { url }
  const postgres = server.url !== undefined && {
    name: 'Postgres',
    async open(name) {
      const address = await newDatabase(server.url, `bench_${process.pid}_${name}`)
      const store = await openStore(postgresDialect(address))
      return { ...store, settle: () => analyze(address) }
    },
  }
  return {
    kinds: [sqlite, ...(postgres ? [postgres] : [])],
    async close() {
      await server.remove?.()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function openStore(dialect) {
  const { createManagement, createSealer, openDatabase } = await import('portcullis/management')
  const random = (bytes) => new Uint8Array(randomBytes(bytes))
  const db = await openDatabase(dialect)
  const sealer = await createSealer([random(32)], random)
  const management = createManagement({ db, sealer, now: Date.now, newId: randomUUID, random })
  return { db, management }
}

/** What Postgres does by itself a minute after so many rows have come. */
async function analyze(connectionString) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}
