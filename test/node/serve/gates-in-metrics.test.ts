import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isLoopback } from '../../../src/node/listen-address.js'
import { clientOf, startServing, stopServing } from './serving.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-gates-'))
afterAll(() => rmSync(folder, { recursive: true }))
const token = 'an-administrator-of-the-tests'
const env = { PORTCULLIS_API_TOKEN: token }

test('what gates elsewhere run and refuse is in the metrics of serve', async () => {
  const serving = await startServing(join(folder, 'gates'), [], env)
  const client = clientOf(serving, token)
  const account = await client.accounts.create({ name: 'Shop' })
  const { id } = await client.zones.create({ name: 'shop.example', account: { id: account.id } })
  const report = {
    instance: 'gate-1',
    version: 1,
    hash: 'a'.repeat(64),
    started_at: '2026-01-31T12:00:00Z',
  }
  const refused = { version: 2, code: 'unknown_field', message: 'no such field', pointer: '/rules' }
  const metricsAfter = async (body: object) => {
    await client.post(`/zones/${id}/gate/instances`, { body })
    return (await fetch(`${serving.origin}/metrics`)).text()
  }
  const labels = `{zone="${id}",instance="gate-1"}`
  const refusing = await metricsAfter({ ...report, refused })
  expect(refusing).toContain(`portcullis_gate_policy_version${labels} 1\n`)
  expect(refusing).toContain(`portcullis_gate_policy_refused${labels} 2\n`)
  expect(refusing).toMatch(/^portcullis_gate_silent_seconds\{.*\} \d/m)
  const running = await metricsAfter({ ...report, version: 3 })
  expect(running).toContain(`portcullis_gate_policy_version${labels} 3\n`)
  expect(running).toContain(`portcullis_gate_policy_refused${labels} 0\n`)
  expect((await stopServing(serving)).code).toBe(0)
})

test.each([
  ['with --metrics-auth', ['--metrics-auth']],
  ['where other machines reach them', ['--listen', '0.0.0.0:0']],
])('metrics need a token that reads all zones %s', async (name, args) => {
  const serving = await startServing(join(folder, name.slice(-9)), args, env)
  const origin = serving.origin.replace('0.0.0.0', '127.0.0.1')
  const client = clientOf({ ...serving, origin }, token)
  const made = async (permission: string, resource: string) => {
    const policies = [
      {
        effect: 'allow' as const,
        permission_groups: [{ id: permission }],
        resources: { [resource]: '*' },
      },
    ]
    return String((await client.user.tokens.create({ name: 'x', policies })).value)
  }
  const status = async (path: string, bearer?: string) =>
    (
      await fetch(origin + path, {
        headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
      })
    ).status
  expect(await status('/metrics')).toBe(401)
  expect(await status('/metrics', 'wrong')).toBe(401)
  expect(await status('/metrics', await made('zones:read', 'zone:some'))).toBe(403)
  expect(await status('/metrics', await made('operations:read', '*'))).toBe(403)
  expect(await status('/metrics', await made('zones:read', '*'))).toBe(200)
  expect(await status('/metrics', token)).toBe(200)
  expect(await status('/healthz')).toBe(200)
  expect((await stopServing(serving)).code).toBe(0)
})

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['LOCALHOST', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['127.0.0.1.example', false],
])('%s is reached by this machine alone: %s', (host, alone) => {
  expect(isLoopback({ host, port: 1 })).toBe(alone)
})
