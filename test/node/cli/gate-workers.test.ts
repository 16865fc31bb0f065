import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { listening } from '../../../src/node/http-listener.js'
import { ZONE } from '../../management/stage.js'
import { HOST, RULES, startManagement } from '../management-server.js'
import { through } from '../serve/serving.js'
import { ended, line, runCli, startCli } from './run-cli.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-gate-workers-'))
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true }))

const addressIn = (text: string): string => /http:\S+/.exec(text)?.[0] ?? ''
const slow = { timeout: 20_000 }

/** A gate of two processes, and what its metrics and its clients see. */
async function start(...args: readonly string[]) {
  const listen = ['--listen', '127.0.0.1:0', '--metrics', '127.0.0.1:0', '--quiet']
  const child = startCli('gate', ...args, '--workers', '2', ...listen)
  children.push(child)
  const pids = new Set<number>()
  child.stderr?.on('data', (text: Buffer) => {
    for (const [, pid] of text.toString().matchAll(/gate process (\d+) listens/g))
      pids.add(Number(pid))
  })
  const done = ended(child)
  const [metrics, told] = await Promise.all([
    line(child, /metrics are at/),
    line(child, /the gate listens on/),
  ])
  const gate = addressIn(told)
  const collect = async () => (await fetch(addressIn(metrics))).text()
  return {
    child,
    pids,
    collect,
    /** Of answers in a row, which come from both processes. */
    async statuses() {
      const all = await Promise.all(
        Array.from({ length: 20 }, () => through({ gate }, HOST, '/orders')),
      )
      return [...new Set(all.map(({ status }) => status))]
    },
    async killOne() {
      const [pid = 0] = pids
      pids.delete(pid)
      const next = line(child, /gate process \d+ listens/)
      process.kill(pid, 'SIGKILL')
      await next
    },
    async stop() {
      child.kill('SIGTERM')
      const { code, err } = await done
      expect(code).toBe(0)
      return err
    },
  }
}

/** Before Node 26 it is too deep to be written out for another process. */
const DEEP = '['.repeat(1e5) + ']'.repeat(1e5)
const writesDeep = Number(process.versions.node.split('.')[0]) >= 26

describe('portcullis gate --workers 2 by a file', () => {
  test('has each version of the file in force in both, or refuses it in both', async () => {
    const file = join(folder, 'policy.json')
    const management = await startManagement()
    await management.refuse(true)
    const headers = { authorization: `Bearer ${management.gateToken}` }
    writeFileSync(file, await (await fetch(management.policyUrl, { headers })).text())
    const refusing = readFileSync(file, 'utf8')
    const gate = await start('--policy', file)
    expect(await gate.statuses()).toEqual([403])

    const refused = line(gate.child, /the file is refused, policy 1 stays in force/)
    writeFileSync(file, refusing.replace('"expression":"', '"expression":"nope '))
    await refused
    expect(await gate.statuses()).toEqual([403])
    expect(await gate.collect()).toContain(`portcullis_policy_refused_total{zone="${ZONE}"} 1\n`)
    expect(await gate.collect()).toContain('portcullis_gates 2\n')
    await gate.killOne()
    expect(await gate.statuses()).toEqual([403])
    expect(await gate.collect()).toContain('portcullis_workers_ended_total 1\n')

    if (!writesDeep) {
      const unsent = line(gate.child, /the file is refused, policy 1 stays in force/)
      writeFileSync(file, `{ "id": "z", "name": "z", "deep": ${DEEP} }`)
      await unsent
      expect(await gate.statuses()).toEqual([403])
    }

    const taken = line(gate.child, /policy 2 is in force/)
    writeFileSync(file, refusing.replace('"enabled":true', '"enabled":false'))
    await taken
    expect(await gate.statuses()).toEqual([200])
    expect(await gate.stop()).toMatch(/\/rules\/0\/expression 1:6 unexpected_input/)
    await management.close()
  })

  test('an address that is taken, or a policy that is bad, ends it with exit code 1', async () => {
    const file = join(folder, 'good.json')
    writeFileSync(file, JSON.stringify({ id: 'z', name: 'example.com' }))
    const bad = join(folder, 'bad.json')
    writeFileSync(bad, JSON.stringify({ id: 'z', name: 'example.com', rules: 1 }))
    const other = createServer()
    const { host } = new URL(await listening(other, { host: '127.0.0.1', port: 0 }))
    const gate = (policy: string, listen: string) =>
      runCli(['gate', '--policy', policy, '--listen', listen, '--workers', '2'])
    const taken = await gate(file, host)
    expect([taken.code, taken.err]).toEqual([
      1,
      expect.stringContaining('cannot listen: listen EADDR'),
    ])
    other.close()
    const refused = await gate(bad, '127.0.0.1:0')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('/rules')])
  })
})

describe('portcullis gate --workers 2 by management', () => {
  test('tells the API and its metrics which version both run, and which they refuse', async () => {
    const management = await startManagement()
    const { stage } = management
    const instances = `/zones/${ZONE}/gate/instances`
    const told = async () => (await stage.call('GET', instances)).json.list[0]
    await management.refuse(true)
    process.env['PORTCULLIS_GATE_TOKEN'] = management.gateToken
    const state = ['--state', join(folder, 'state'), '--instance', 'gate-1']
    const gate = await start('--policy', management.policyUrl, ...state)
    delete process.env['PORTCULLIS_GATE_TOKEN']
    expect(await gate.statuses()).toEqual([403])
    const { version } = (await stage.management.policy(ZONE))!
    await expect.poll(told, slow).toMatchObject({ instance: 'gate-1', version, refused: null })

    await management.change('is_jwt_from_the_future("x")')
    await expect
      .poll(told, slow)
      .toMatchObject({ version, refused: { version: version + 1, pointer: '/rules/0/expression' } })
    expect(await gate.statuses()).toEqual([403])
    expect(await gate.collect()).toContain(`portcullis_policy_version{zone="${ZONE}"} ${version}\n`)
    expect(await gate.collect()).toContain(`portcullis_policy_refused_total{zone="${ZONE}"} 1\n`)
    await gate.killOne()
    expect(await gate.statuses()).toEqual([403])

    const body = { expression: 'true', enabled: true }
    expect((await stage.call('PATCH', `${RULES}/${management.rule}`, body)).status).toBe(200)
    await expect.poll(gate.statuses, slow).toEqual([200])
    await expect.poll(told, slow).toMatchObject({ version: version + 2, refused: null })
    expect(await gate.stop()).toContain(`version ${version + 1} is refused, version ${version}`)
    await management.close()
  })
})
