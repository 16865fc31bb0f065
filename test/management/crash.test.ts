import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyFor } from '../edge/token/keys.js'
import { openDatabase, readPolicy, type Database } from '../../src/management/store/index.js'
import { postgresDialect, sqliteDialect } from '../../src/node/store/index.js'
import { contractOf, type Contract } from './contract.js'
import { postgres } from './databases.js'
import { ACCOUNT, ADMIN, ZONE } from './stage.js'

const ROUNDS = 3
const WRITERS = 8
const ALIVE_MS = 400

/** A management process over a database; it prints its address. */
const PROCESS = `
  import { randomBytes, randomUUID } from 'node:crypto'
  import { serve } from '@hono/node-server'
  import { createManagement, createSealer, openDatabase } from 'portcullis/management'
  import { postgresDialect, sqliteDialect } from 'portcullis/node'
  const [where, key] = process.argv.slice(1)
  const random = (bytes) => new Uint8Array(randomBytes(bytes))
  const db = await openDatabase(where.startsWith('postgres:') ? postgresDialect(where) : sqliteDialect(where))
  const sealer = await createSealer([new Uint8Array(Buffer.from(key, 'hex'))], random)
  const management = createManagement({ db, sealer, now: Date.now, newId: randomUUID, random })
  await management.ensureFirstToken('${ADMIN}')
  serve({ fetch: management.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
    console.log('http://127.0.0.1:' + port + '/client/v4'))`

const root = fileURLToPath(new URL('../..', import.meta.url))
const key = randomBytes(32).toString('hex')

async function start(where: string): Promise<{ base: string; kill(): Promise<void> }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROCESS, where, key], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const { value: base } = await lines.next()
  return {
    base: String(base),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

let contract: Contract

async function call(base: string, method: string, path: string, body?: unknown): Promise<string> {
  const response = await contract.fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const json = (await response.json()) as { result: Record<string, unknown> }
  if (!response.ok) throw new Error(`${method} ${path} ${response.status}`)
  return String(json.result['id'] ?? json.result['operation_id'])
}

/** Writes until the process dies, and tells which ids were acknowledged. */
async function write(base: string, writer: number, acknowledged: Set<string>): Promise<void> {
  const rule = { action: 'log', expression: 'ssl', position: { index: 1 } }
  const config = {
    title: 'x',
    description: '',
    token_type: 'JWT',
    token_sources: ['http.request.headers["a"][0]'],
    credentials: { keys: [keyFor('HS256').jwk, keyFor('ES256').jwk] },
  }
  for (let at = 0; ; at++) {
    const endpoint = `/${randomBytes(8).toString('hex')}`
    const operation = { method: 'GET', host: 'example.com', endpoint }
    const [path, body] = [
      ['/token_validation/rules', rule],
      ['/api_gateway/operations/item', operation],
      ['/token_validation/config', config],
    ][(at + writer) % 3] as [string, object]
    try {
      acknowledged.add(await call(base, 'POST', `/zones/${ZONE}${path}`, body))
    } catch (cause) {
      // The limit of 32 configurations is an answer, not the end.
      if (!String(cause).includes(' 400')) return
    }
  }
}

describe.each([['SQLite'], ['Postgres']])(
  'a process that is killed while it writes, on %s',
  (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'portcullis-crash-'))
    let where = join(folder, 'crash.db')
    let db: Database

    beforeAll(async () => {
      if (name === 'SQLite') return
      await postgres.start()
      where = await postgres.address()
    }, 120_000)
    afterAll(async () => {
      await db.destroy()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    test('has done what it acknowledged, and nothing by half', async () => {
      const acknowledged = new Set<string>()
      for (let round = 0; round < ROUNDS; round++) {
        const { base, kill } = await start(where)
        contract ??= await contractOf(fetch, new URL(base).origin)
        if (round === 0) {
          await call(base, 'POST', '/accounts', { id: ACCOUNT, name: 'x' })
          await call(base, 'POST', '/zones', {
            id: ZONE,
            name: 'example.com',
            account: { id: ACCOUNT },
          })
        }
        const writers = Array.from({ length: WRITERS }, (_, at) => write(base, at, acknowledged))
        await new Promise((resolve) => setTimeout(resolve, ALIVE_MS))
        await kill()
        await Promise.all(writers)
      }
      db = await openDatabase(name === 'SQLite' ? sqliteDialect(where) : postgresDialect(where))
      const { parts, row } = (await readPolicy(db, ZONE))!
      const inPolicy = [parts.rules, parts.token_configurations, parts.operations].flatMap((part) =>
        (part as readonly { id?: string; operation_id?: string }[]).map(
          (one) => one.id ?? one.operation_id,
        ),
      )
      const inTables: string[] = []
      for (const table of ['rules', 'token_configurations', 'operations'] as const)
        inTables.push(...(await db.selectFrom(table).select('id').execute()).map(({ id }) => id))
      const created = await db
        .selectFrom('audit_log')
        .select('object_id')
        .where('zone_id', '=', ZONE)
        .where('object_type', '!=', 'zone')
        .execute()
      const sorted = (ids: readonly unknown[]) => ids.map(String).toSorted()
      expect(contract.breaches).toEqual([])
      expect(acknowledged.size).toBeGreaterThan(ROUNDS)
      expect([...acknowledged].filter((id) => !inTables.includes(id))).toEqual([])
      expect(sorted(inPolicy)).toEqual(sorted(inTables))
      expect(sorted(created.map(({ object_id }) => object_id))).toEqual(sorted(inTables))
      expect(row.version).toBe(inTables.length + 1)
      const places = await db.selectFrom('rules').select('position').orderBy('position').execute()
      expect(places.map(({ position }) => position)).toEqual(places.map((_, at) => at + 1))
      const keys = await db.selectFrom('token_keys').select('secret_id').execute()
      const secrets = await db.selectFrom('secrets').select('id').execute()
      const named = keys.flatMap(({ secret_id }) => secret_id ?? [])
      expect(sorted(secrets.map(({ id }) => id))).toEqual(sorted(named))
    }, 60_000)
  },
)
