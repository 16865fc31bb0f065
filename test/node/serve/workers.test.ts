import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Cloudflare from 'cloudflare'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf, startServing, stopServing, through, type Serving } from './serving.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-workers-'))
const HOST = 'api.shop.example'
const upstream = createServer((_, response) => response.end('from upstream'))
beforeAll(() => new Promise<void>((done) => void upstream.listen(0, '127.0.0.1', () => done())))
afterAll(() => {
  upstream.close()
  upstream.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

/** What `--log-level debug` told so far, line by line. */
function linesOf({ child }: Serving): () => readonly Record<string, unknown>[] {
  let text = ''
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
}

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('portcullis serve --workers 2', () => {
  let serving: Serving
  let client: Cloudflare
  let lines: () => readonly Record<string, unknown>[]
  const ids = { zone: '', rule: '' }
  const status = async () => (await through(serving, HOST, '/orders')).status
  const pidsOf = (msg: string) =>
    new Set(lines().flatMap((line) => (line['msg'] === msg ? [Number(line['pid'])] : [])))
  const metric = async (name: string) => {
    const text = await (await fetch(`${serving.origin}/metrics`)).text()
    return text
      .split('\n')
      .filter((line) => line.startsWith(name))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  }
  /** Until so many answers in a row, which come from both processes, are these. */
  const becomes = (expected: number) =>
    expect
      .poll(
        async () => {
          const seen = await Promise.all(Array.from({ length: 20 }, status))
          return [...new Set(seen)]
        },
        { interval: 5, timeout: 20_000 },
      )
      .toEqual([expected])

  test('starts with two processes behind one address, ready once they have their policies', async () => {
    serving = await startServing(join(folder, 'data'), ['--workers', '2', '--log-level', 'debug'])
    lines = linesOf(serving)
    client = clientOf(serving, serving.firstToken)
    expect((await fetch(`${serving.origin}/readyz`)).status).toBe(200)
    expect(await metric('portcullis_gates ')).toBe(2)
  })

  test('has what the API changes in force in both', async () => {
    const account = await client.accounts.create({ name: 'Shop' })
    const { port } = upstream.address() as AddressInfo
    const body = { account: { id: account.id }, upstream: `http://127.0.0.1:${port}` }
    const { id: zone_id } = await client.zones.create({ name: 'shop.example', ...body })
    await becomes(200)
    await client.apiGateway.operations.create({
      zone_id,
      method: 'GET',
      host: HOST,
      endpoint: '/orders',
    })
    const { id } = await client.tokenValidation.rules.create({
      zone_id,
      title: 'Nobody',
      description: '',
      action: 'block',
      enabled: true,
      expression: 'false',
      selector: { include: [{ host: [HOST] }] },
    })
    Object.assign(ids, { zone: zone_id, rule: id })
    await becomes(403)
    await client.tokenValidation.rules.edit(ids.rule, { zone_id, enabled: false })
    await becomes(200)
    await client.tokenValidation.rules.edit(ids.rule, { zone_id, enabled: true })
    await becomes(403)
  })

  test('counts what both decide as one', async () => {
    const before = await metric('portcullis_decisions_total')
    for (let sent = 0; sent < 40; sent++) await status()
    expect(await metric('portcullis_decisions_total')).toBe(before + 40)
    await expect.poll(() => pidsOf('decision').size, { timeout: 20_000 }).toBeGreaterThan(0)
  })

  test('goes on when one is killed, and the next one has the policy in force', async () => {
    const [killed] = pidsOf('decision')
    const counted = await metric('portcullis_decisions_total')
    process.kill(killed ?? 0, 'SIGKILL')
    await expect.poll(() => metric('portcullis_workers_ended_total'), { timeout: 20_000 }).toBe(1)
    await becomes(403)
    await expect.poll(() => metric('portcullis_gates '), { timeout: 20_000 }).toBe(2)
    await becomes(403)
    expect(await metric('portcullis_decisions_total')).toBeGreaterThanOrEqual(counted)
    const zone_id = ids.zone
    await client.tokenValidation.rules.edit(ids.rule, { zone_id, enabled: false })
    await becomes(200)
  })

  test('leaves no process behind when it is told to end', async () => {
    const pids = [...pidsOf('decision'), ...pidsOf('a gate process listens')]
    expect((await stopServing(serving)).code).toBe(0)
    expect(pids.filter(lives)).toEqual([])
  })

  test('nor when it is killed itself', async () => {
    const other = await startServing(join(folder, 'data'), ['--workers', '2'])
    const told = linesOf(other)
    await through(other, HOST, '/orders')
    await through(other, 'nowhere.example', '/')
    await expect
      .poll(() => told().filter(({ msg }) => msg === 'decision').length)
      .toBeGreaterThan(0)
    const pids = told().flatMap(({ pid }) => (pid === undefined ? [] : [Number(pid)]))
    await stopServing(other, 'SIGKILL')
    await expect.poll(() => pids.filter(lives), { timeout: 20_000 }).toEqual([])
  })
})
