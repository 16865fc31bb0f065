import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/management/store/index.js'
import { listening } from '../../../src/node/http-listener.js'
import { sqliteDialect } from '../../../src/node/store/index.js'
import { judgedFetch } from '../../management/contract.js'
import { ended, line } from '../cli/run-cli.js'
import { clientOf, startServing, stopServing, through } from './serving.js'

const HOST = 'shop.example'
const folder = mkdtempSync(join(tmpdir(), 'portcullis-locked-'))
const upstream = createServer((_, response) => response.end('from upstream'))
let upstreamUrl: string
beforeAll(async () => {
  upstreamUrl = await listening(upstream, { host: '127.0.0.1', port: 0 })
})
afterAll(() => {
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

test('while another process writes to SQLite the gate and reading go on, and a change waits its turn', async () => {
  const data = join(folder, 'locked')
  const serving = await startServing(data)
  const client = clientOf(serving, serving.firstToken)
  const { id } = await client.accounts.create({ name: 'Shop' })
  await client.zones.create({ name: HOST, account: { id }, upstream: upstreamUrl } as never)
  const through200 = async () => expect((await through(serving, HOST, '/')).status).toBe(200)
  await expect.poll(async () => (await through(serving, HOST, '/')).status).toBe(200)
  const db = await openDatabase(sqliteDialect(join(data, 'portcullis.db')))
  let changed = false
  let change: Promise<unknown> | undefined
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('accounts').set({ name: 'held' }).execute()
    change = client.accounts.update({ account_id: id, name: 'Shops' } as never)
    void change.then(() => (changed = true))
    // The gate is of the same process: one that waits for SQLite itself would not answer.
    for (let asked = 0; asked < 20; asked++) await through200()
    expect(await client.accounts.get({ account_id: id })).toMatchObject({ name: 'Shop' })
    expect((await fetch(`${serving.origin}/healthz`)).status).toBe(200)
    expect(changed).toBe(false)
  })
  await change
  await db.destroy()
  expect(await client.accounts.get({ account_id: id })).toMatchObject({ name: 'Shops' })
  expect((await stopServing(serving)).code).toBe(0)
})

/** Writing beyond a limit fails as it does on a full disk. */
test.skipIf(process.platform === 'win32')(
  'when no more can be written the API says so, loses nothing, and the gate goes on',
  async () => {
    const data = join(folder, 'full')
    const listen = '--listen 127.0.0.1:0 --gate 127.0.0.1:0'
    const serve = `ulimit -f 1600; exec "$0" dist/node/cli/main.js serve --data "$1" ${listen}`
    const child = spawn('sh', ['-c', serve, process.execPath, data], {
      env: { ...process.env, PORTCULLIS_API_TOKEN: 'an-administrator' },
    })
    const done = ended(child)
    const origin = new URL((await line(child, /management API listens/)).split(' ').at(-1)!).origin
    const api = judgedFetch(origin)
    const post = async (path: string, body: object) => {
      const response = await api(`${origin}/client/v4${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer an-administrator', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return {
        status: response.status,
        json: (await response.json()) as { result?: { id: string }; errors: { code: number }[] },
      }
    }
    const acknowledged: string[] = []
    let answer = await post('/accounts', { name: 'x' })
    while (answer.status === 200 && acknowledged.length < 5000) {
      acknowledged.push(answer.json.result!.id)
      answer = await post('/accounts', { name: 'x'.repeat(200) })
    }
    expect(acknowledged.length).toBeGreaterThan(0)
    expect([answer.status, answer.json.errors[0]?.code]).toEqual([503, 10503])
    expect((await fetch(`${origin}/healthz`)).status).toBe(200)
    child.kill('SIGKILL')
    await done
    const db = await openDatabase(sqliteDialect(join(data, 'portcullis.db')))
    const { rows } = await sql`pragma integrity_check`.execute(db)
    expect(rows).toEqual([{ integrity_check: 'ok' }])
    const kept = (await db.selectFrom('accounts').select('id').execute()).map(({ id }) => id)
    await db.destroy()
    expect(kept.toSorted()).toEqual(acknowledged.toSorted())
  },
)
