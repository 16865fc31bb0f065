import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ChildProcess } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { judgedFetch } from '../../management/contract.js'
import { ZONE } from '../../management/stage.js'
import { HOST, startManagement } from '../management-server.js'
import { through } from '../serve/serving.js'
import { ended, line, runCli, startCli } from './run-cli.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-metrics-'))
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true }))

const addressIn = (text: string): string => /http:\S+/.exec(text)?.[0] ?? ''

async function start(...args: readonly string[]) {
  const listen = ['--listen', '127.0.0.1:0', '--metrics', '127.0.0.1:0', '--quiet']
  const child = startCli('gate', ...args, ...listen)
  children.push(child)
  const done = ended(child)
  const [metrics, gate] = await Promise.all([
    line(child, /metrics are at/),
    line(child, /the gate listens on/),
  ])
  return {
    child,
    done,
    gate: addressIn(gate),
    metrics: addressIn(metrics),
    collect: async () => (await fetch(addressIn(metrics))).text(),
  }
}

describe('a gate alone with --metrics', () => {
  test('runs a saved body of the policy endpoint without a notice, and counts by its zone', async () => {
    const management = await startManagement()
    await management.refuse(true)
    const headers = { authorization: `Bearer ${management.gateToken}` }
    const { origin } = new URL(management.policyUrl)
    const saved = await (await judgedFetch(origin)(management.policyUrl, { headers })).text()
    await management.close()
    expect(JSON.parse(saved)).toHaveProperty('version')
    const file = join(folder, 'saved.json')
    writeFileSync(file, saved)
    expect(await runCli(['check', '--strict', file])).toMatchObject({ code: 0, err: '' })

    const gate = await start('--policy', file)
    expect(await through(gate, HOST, '/orders')).toMatchObject({ status: 403 })
    // The upstream of the zone is gone.
    expect(await through(gate, HOST, '/unlisted')).toMatchObject({ status: 521 })
    const before = await gate.collect()
    const decisions = `portcullis_decisions_total{zone="${ZONE}"`
    expect(before).toContain(
      `${decisions},rule="${management.rule}",action="block",reason="expression_failed"} 1\n`,
    )
    expect(before).toContain(`${decisions},rule="",action="pass",reason="unlisted"} 1\n`)
    expect(before).toMatch(/^portcullis_upstream_failures_total\{code="\d+"\} 1$/m)
    expect(before).toContain(`portcullis_policy_version{zone="${ZONE}"} 1\n`)
    expect(before).toMatch(/^portcullis_policy_age_seconds\{zone="\w+"\} \d/m)
    expect(before).toContain('portcullis_verdict_cache_hits_total{verdict="valid"} 0\n')

    writeFileSync(file, saved.replace('"expression":"', '"expression":"nope '))
    await line(gate.child, /stays in force/)
    const after = await gate.collect()
    expect(after).toContain(`portcullis_policy_refused_total{zone="${ZONE}"} 1\n`)
    expect(after).toContain(`portcullis_policy_version{zone="${ZONE}"} 1\n`)
    gate.child.kill('SIGTERM')
    const { code, err } = await gate.done
    expect(code).toBe(0)
    expect(err).not.toContain('notice')
  })

  test('tells the version of management, and when management is away', async () => {
    const management = await startManagement()
    process.env['PORTCULLIS_GATE_TOKEN'] = management.gateToken
    const gate = await start('--policy', management.policyUrl, '--state', join(folder, 'state'))
    delete process.env['PORTCULLIS_GATE_TOKEN']
    const { version } = (await management.stage.management.policy(ZONE))!
    expect(await gate.collect()).toContain(`portcullis_policy_version{zone="${ZONE}"} ${version}\n`)
    expect(await gate.collect()).toContain('portcullis_in_step 1\n')
    // What it refuses is taken back: the same policy under another number.
    await management.change('nope', false)
    await line(gate.child, /is refused/)
    await management.change('false', false)
    await line(gate.child, new RegExp(`policy version ${version + 2} is in force`))
    const later = await gate.collect()
    expect(later).toContain(`portcullis_policy_version{zone="${ZONE}"} ${version + 2}\n`)
    const told = line(gate.child, /no policy from management/)
    await management.leave()
    await told
    expect(await gate.collect()).toContain('portcullis_in_step 0\n')
    gate.child.kill('SIGTERM')
    expect((await gate.done).code).toBe(0)
    await management.listen()
    await management.close()
  })

  test('answers GET and HEAD of /metrics and nothing else', async () => {
    const file = join(folder, 'plain.json')
    writeFileSync(file, JSON.stringify({ id: 'z', name: 'example.com' }))
    const { metrics } = await start('--policy', file)
    const status = async (url: string, method = 'GET') => (await fetch(url, { method })).status
    expect(await status(metrics, 'HEAD')).toBe(200)
    expect(await status(metrics, 'POST')).toBe(405)
    expect(await status(`${new URL(metrics).origin}/`)).toBe(404)
    const taken = ['--listen', '127.0.0.1:0', '--metrics', new URL(metrics).host]
    const second = await runCli(['gate', '--policy', file, ...taken])
    expect([second.code, second.err]).toEqual([1, expect.stringContaining('cannot listen')])
  })

  test.each([
    ['--metrics', 'nowhere'],
    ['--policy', 'http://x/other', '--metrics', '127.0.0.1:0'],
  ])('%s %s is misuse and ends at once', async (...args) => {
    expect(await runCli(['gate', '--policy', join(folder, 'plain.json'), ...args])).toMatchObject({
      code: 2,
    })
  })
})
