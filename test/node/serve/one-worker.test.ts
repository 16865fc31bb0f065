import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listening } from '../../../src/node/http-listener.js'
import { line } from '../cli/run-cli.js'
import { clientOf, startServing, stopServing, through, type Serving } from './serving.js'

const HOST = 'shop.example'
const folder = mkdtempSync(join(tmpdir(), 'portcullis-one-worker-'))
const upstream = createServer((_, response) => response.end('from upstream'))
let serving: Serving

beforeAll(async () => {
  const url = await listening(upstream, { host: '127.0.0.1', port: 0 })
  serving = await startServing(join(folder, 'data'), ['--workers', '1', '--log-level', 'debug'])
  const client = clientOf(serving, serving.firstToken)
  const account = await client.accounts.create({ name: 'Shop' })
  const body = { name: HOST, account: { id: account.id }, upstream: url }
  await client.zones.create(body)
}, 60_000)
afterAll(async () => {
  await stopServing(serving, 'SIGKILL')
  upstream.close()
  upstream.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

/** The process that answers: it tells of each request. */
async function worker(): Promise<number> {
  const told = line(serving.child, /"msg":"decision"/)
  expect((await through(serving, HOST, '/')).status).toBe(200)
  return (JSON.parse(await told) as { pid: number }).pid
}

/** Ends the one worker, and resolves when it is gone. */
async function kill(): Promise<void> {
  const pid = await worker()
  const gone = line(serving.child, new RegExp(`"pid":${pid},.*a gate process ended`))
  process.kill(pid, 'SIGKILL')
  await gone
}

test('serves the zone', async () => {
  await expect.poll(async () => (await through(serving, HOST, '/')).status).toBe(200)
})

test('what connects while there is no worker is answered by the next one', async () => {
  for (let round = 0; round < 3; round++) {
    await kill()
    const all = await Promise.all(Array.from({ length: 20 }, () => through(serving, HOST, '/')))
    expect(all.map(({ status }) => status)).toEqual(Array(20).fill(200))
  }
})

test('clients that never stop connecting lose what was under way, and are refused nothing', async () => {
  const seen = new Map<string, number>()
  const stop = new AbortController()
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  const clients = Array.from({ length: 8 }, async () => {
    while (!stop.signal.aborted)
      await through(serving, HOST, '/').then(
        ({ status }) => count(String(status)),
        (cause: NodeJS.ErrnoException) => count(cause.code ?? cause.message),
      )
  })
  await kill()
  const next = await worker()
  expect(next).toBeGreaterThan(0)
  stop.abort()
  await Promise.all(clients)
  const { 200: passed = 0, ECONNRESET: lost = 0, ...others } = Object.fromEntries(seen)
  expect(others).toEqual({})
  expect(passed).toBeGreaterThan(0)
  expect(lost).toBeLessThanOrEqual(clients.length)
})

test('once it is told to end, it takes nothing new', async () => {
  const { code } = await stopServing(serving)
  expect(code).toBe(0)
  await expect(through(serving, HOST, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
