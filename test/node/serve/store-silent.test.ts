import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listening } from '../../../src/node/http-listener.js'
import { postgres } from '../../management/databases.js'
import { builtProgram } from '../built-program.js'
import { silentProxy, type SilentProxy } from '../store/silent-proxy.js'
import { clientOf, started, stopServing, through } from './serving.js'

const HOST = 'shop.example'
const folder = mkdtempSync(join(tmpdir(), 'portcullis-silent-'))
const upstream = createServer((_, response) => response.end('from upstream'))
let proxy: SilentProxy
let upstreamUrl = ''
let program = ''

beforeAll(async () => {
  proxy = await silentProxy(await postgres.address())
  program = await builtProgram(new URL('./impatient.ts', import.meta.url), 'impatient')
  upstreamUrl = await listening(upstream, { host: '127.0.0.1', port: 0 })
}, 120_000)
afterAll(async () => {
  proxy.close()
  upstream.close()
  rmSync(program)
  rmSync(folder, { recursive: true, force: true })
})

test('while Postgres says nothing the gate goes on, the API says so, and both recover', async () => {
  const serving = await started([program, folder, proxy.address])
  const client = clientOf(serving, serving.firstToken)
  const account = await client.accounts.create({ name: 'Shop' })
  const body = { account: { id: account.id }, upstream: upstreamUrl }
  const create = (name: string) =>
    fetch(`${serving.origin}/client/v4/zones`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${serving.firstToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ...body, name }),
    })
  const gate = async () => (await through(serving, HOST, '/')).status
  const readiness = async () => (await fetch(`${serving.origin}/readyz`)).status
  const slow = { timeout: 60_000 }
  expect((await create(HOST)).status).toBe(200)
  await expect.poll(gate, slow).toBe(200)

  proxy.silent(true)
  const lost = await create('lost.example')
  expect([lost.status, lost.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await lost.json()).toMatchObject({ success: false, errors: [{ code: 10503 }] })
  await expect.poll(readiness, slow).toBe(503)
  expect(await gate()).toBe(200)

  proxy.silent(false)
  await expect.poll(readiness, slow).toBe(200)
  expect((await create('after.example')).status).toBe(200)
  const names = []
  for await (const { name } of client.zones.list()) names.push(name)
  expect(names.toSorted()).toEqual(['after.example', HOST])

  proxy.silent(true)
  const { code, err } = await stopServing(serving)
  expect(code).toBe(0)
  expect(err).toContain('the store does not answer')
  expect(err).toContain('the store answers again')
}, 180_000)
