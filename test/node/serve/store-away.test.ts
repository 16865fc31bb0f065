import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listening } from '../../../src/node/http-listener.js'
import { judgedFetch } from '../../management/contract.js'
import { freePort } from '../../free-port.mjs'
import { startPostgres, type PostgresServer } from '../../postgres-server.mjs'
import { runCli } from '../cli/run-cli.js'
import { clientOf, startServing, stopServing, through } from './serving.js'

const PASSWORD = 'a-password-of-the-database'
const HOST = 'shop.example'
const folder = mkdtempSync(join(tmpdir(), 'portcullis-away-'))
const upstream = createServer((_, response) => response.end('from upstream'))
let postgres: PostgresServer
let upstreamUrl: string

beforeAll(async () => {
  postgres = await startPostgres({ password: PASSWORD, persistent: true })
  upstreamUrl = await listening(upstream, { host: '127.0.0.1', port: 0 })
}, 120_000)
afterAll(async () => {
  await postgres.remove()
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

test('while Postgres is away the gate goes on, the API says so, and both recover', async () => {
  const data = join(folder, 'data')
  const serving = await startServing(data, ['--database', postgres.url])
  const client = clientOf(serving, serving.firstToken)
  const account = await client.accounts.create({ name: 'Shop' })
  const body = { name: HOST, account: { id: account.id }, upstream: upstreamUrl }
  const { id: zone_id } = await client.zones.create(body)
  await client.apiGateway.operations.create({
    zone_id,
    method: 'GET',
    host: HOST,
    endpoint: '/orders',
  })
  const rules = `${serving.origin}/client/v4/zones/${zone_id}/token_validation/rules`
  const headers = {
    authorization: `Bearer ${serving.firstToken}`,
    'content-type': 'application/json',
  }
  const rule = { action: 'block', expression: 'false', selector: { include: [{ host: HOST }] } }
  const api = judgedFetch(serving.origin)
  const save = (title: string) =>
    api(rules, { method: 'POST', headers, body: JSON.stringify({ ...rule, title }) })
  expect((await save('before')).status).toBe(200)
  const gate = async (path: string) => (await through(serving, HOST, path)).status
  await expect.poll(() => gate('/orders')).toBe(403)

  const readiness = async () => (await fetch(`${serving.origin}/readyz`)).status
  for (const title of ['after the first time', 'after the second time']) {
    // Calls under way lose their connections, in the middle of a transaction too.
    const underWay = Array.from({ length: 20 }, () => save('under way').catch(() => undefined))
    await postgres.server.stop()
    for (const answer of await Promise.all(underWay)) expect([200, 503]).toContain(answer?.status)
    const refused = await save('lost')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    const text = await refused.text()
    expect(JSON.parse(text)).toMatchObject({
      success: false,
      errors: [{ code: 10503, message: 'the store does not answer; try again later' }],
    })
    expect(text).not.toContain(PASSWORD)
    expect([await gate('/orders'), await gate('/elsewhere')]).toEqual([403, 200])
    await expect.poll(readiness, { timeout: 20_000 }).toBe(503)

    await postgres.server.start()
    await expect.poll(readiness, { timeout: 20_000 }).toBe(200)
    expect((await save(title)).status).toBe(200)
  }
  const titles = []
  for await (const each of client.tokenValidation.rules.list({ zone_id })) titles.push(each.title)
  expect(titles).toEqual(
    expect.arrayContaining(['before', 'after the first time', 'after the second time']),
  )
  expect(titles).not.toContain('lost')
  const { code, out, err } = await stopServing(serving)
  expect(code).toBe(0)
  expect(out + err).not.toContain(PASSWORD)
  expect(err).toContain('the store does not answer')
  expect(err).toContain('the store answers again')
}, 120_000)

test('a start without Postgres ends with exit code 1 and a reason, without the password', async () => {
  const nowhere = `postgres://postgres:${PASSWORD}@localhost:${await freePort()}/postgres`
  const run = await runCli(['serve', '--data', join(folder, 'other'), '--database', nowhere])
  expect(run).toMatchObject({ code: 1, out: '' })
  expect(run.err).toMatch(/cannot start: .*ECONNREFUSED/)
  expect(run.err).not.toContain(PASSWORD)
})
