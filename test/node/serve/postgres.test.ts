import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeKey } from '../../edge/token/keys.js'
import { postgres } from '../../management/databases.js'
import { runCli } from '../cli/run-cli.js'
import { clientOf, startServing, stopServing, through } from './serving.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-serve-pg-'))
const upstream = createServer((_, response) => response.end('from upstream'))

beforeAll(async () => {
  await new Promise<void>((done) => void upstream.listen(0, '127.0.0.1', () => done()))
}, 120_000)
afterAll(async () => {
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

test('two processes on one Postgres: what one acknowledges, the gate of the other follows', async () => {
  const where = ['--database', await postgres.address()]
  const one = await startServing(folder, where)
  const other = await startServing(folder, where)
  expect(one.firstToken).toMatch(/^pcl_/)
  expect(other.firstToken).toBe('')
  expect(readdirSync(folder)).toEqual(['secret.key'])
  const { port } = upstream.address() as AddressInfo
  const args = ['--account', 'acme', '--upstream', `http://127.0.0.1:${port}`]
  const added = await runCli(['zone', 'add', 'shop.example', ...args, ...where])
  const zone_id = added.out.trim()
  const client = clientOf(one, one.firstToken)
  const { id } = await client.tokenValidation.configuration.create({
    zone_id,
    title: 'Customers',
    description: '',
    token_type: 'JWT',
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: { keys: [makeKey('HS256').jwk] as never },
  })
  await client.apiGateway.operations.create({
    zone_id,
    method: 'GET',
    host: 'shop.example',
    endpoint: '/orders',
  })
  await client.tokenValidation.rules.create({
    zone_id,
    title: 'Orders',
    description: '',
    action: 'block',
    enabled: true,
    expression: `is_jwt_valid("${id}")`,
    selector: { include: [{ host: ['shop.example'] }] },
  })
  for (const each of [one, other])
    await expect
      .poll(async () => (await through(each, 'shop.example', '/orders')).status, { timeout: 5000 })
      .toBe(401)
  for (const each of [one, other]) expect((await stopServing(each)).code).toBe(0)
})

test('secrets need a key: without folder and key nothing that holds one is written', async () => {
  const run = await runCli(['serve', '--database', await postgres.address()])
  expect(run.err).toMatch(/PORTCULLIS_SECRET_KEY/)
  expect(run.code).toBe(2)
})
