import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { changeZone, openDatabase } from '../../../src/management/store/index.js'
import { listening } from '../../../src/node/http-listener.js'
import { sqliteDialect } from '../../../src/node/store/index.js'
import { line } from '../cli/run-cli.js'
import { clientOf, startServing, stopServing, through, type Serving } from './serving.js'

const HOST = 'shop.example'
const folder = mkdtempSync(join(tmpdir(), 'portcullis-refused-'))
const upstream = createServer((_, response) => response.end('from upstream'))
let upstreamUrl = ''
let serving: Serving | undefined

beforeAll(async () => {
  upstreamUrl = await listening(upstream, { host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  if (serving !== undefined) await stopServing(serving)
})
afterAll(() => {
  upstream.close()
  upstream.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

interface Instance {
  readonly version: number
  readonly refused: { readonly version: number } | null
}

test.each([
  ['in the one process', '0'],
  ['through a gate process', '1'],
  ['through two of them', '2'],
])(
  '%s a policy that does not compile is refused: API and metrics tell',
  async (_, workers) => {
    const data = join(folder, workers)
    serving = await startServing(data, ['--workers', workers, '--log-level', 'debug'])
    const running = serving
    const client = clientOf(running, running.firstToken)
    const account = await client.accounts.create({ name: 'Shop' })
    const body = { name: HOST, account: { id: account.id }, upstream: upstreamUrl }
    const { id: zone_id } = await client.zones.create(body)
    const operation = { method: 'GET', host: HOST, endpoint: '/orders' } as const
    await client.apiGateway.operations.create({ zone_id, ...operation })
    await client.tokenValidation.rules.create({
      zone_id,
      title: 'Nobody',
      description: '',
      action: 'block',
      enabled: true,
      expression: 'false',
      selector: { include: [{ host: [HOST] }] },
    })
    const statuses = async () => {
      const all = await Promise.all(
        Array.from({ length: 10 }, () => through(running, HOST, '/orders')),
      )
      return [...new Set(all.map(({ status }) => status))]
    }
    const instances = () =>
      client.get<{ readonly result: readonly Instance[] }>(`/zones/${zone_id}/gate/instances`)
    const told = async () => (await instances()).result[0]
    const metrics = async () => (await fetch(`${running.origin}/metrics`)).text()
    /** Saves what the API would not: a newer version of this software may know of it. */
    async function change(expression: string): Promise<void> {
      const db = await openDatabase(sqliteDialect(join(data, 'portcullis.db')))
      const actor = { id: 'tests', name: 'tests' }
      const origin = { actor, request_id: 'r', at: Date.now() * 1000, zone_id }
      await changeZone(db, randomUUID, { ...origin, parts: ['rules'] }, ({ tx }) =>
        tx.updateTable('rules').set({ expression }).where('zone_id', '=', zone_id).execute(),
      )
      await db.destroy()
    }
    const slow = { timeout: 20_000 }
    await expect.poll(statuses, slow).toEqual([403])
    const [, inForce] = /^portcullis_policy_version\{.*\} (\d+)$/m.exec(await metrics()) ?? []
    const version = Number(inForce)
    await expect.poll(told, slow).toMatchObject({ version, refused: null })

    await change('is_jwt_from_the_future("x")')
    await expect.poll(told, slow).toMatchObject({
      version,
      state: 'running',
      refused: { version: version + 1, pointer: '/rules/0/expression' },
    })
    expect(await statuses()).toEqual([403])
    const text = await metrics()
    expect(text).toContain(`portcullis_policy_refused_total{zone="${zone_id}"} 1\n`)
    expect(text).toContain(`portcullis_policy_version{zone="${zone_id}"} ${version}\n`)
    expect(text).toMatch(new RegExp(`^portcullis_gate_policy_refused\\{.*\\} ${version + 1}$`, 'm'))
    expect(text).toMatch(new RegExp(`^portcullis_gate_policy_version\\{.*\\} ${version}$`, 'm'))

    if (workers !== '0') {
      const decided = line(running.child, /"msg":"decision"/)
      await statuses()
      const { pid } = JSON.parse(await decided) as { pid: number }
      const replaced = line(running.child, /a gate process listens/)
      process.kill(pid, 'SIGKILL')
      await replaced
      expect(await statuses()).toEqual([403])
    }
    await change('true')
    await expect.poll(statuses, slow).toEqual([200])
    await expect.poll(told, slow).toMatchObject({ version: version + 2, refused: null })
    expect(await metrics()).toMatch(/^portcullis_gate_policy_refused\{.*\} 0$/m)
  },
  90_000,
)
