import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listening } from '../../../src/node/http-listener.js'
import { ZONE } from '../../management/stage.js'
import { startManagement, type ManagementServer } from '../management-server.js'
import { ended, line, startApart, startCli, type Ended } from './run-cli.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-start-faults-'))
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true }))

function endOf(child: ChildProcess): Promise<Ended> {
  children.push(child)
  return ended(child)
}

/** A program that the worker runs before it is one. */
function workerRuns(name: string, source: string): string {
  const file = join(folder, `${name}.cjs`)
  writeFileSync(file, `if (process.argv[2] === 'worker') ${source}`)
  return file
}

/** The command line of a gate by a file of its own. */
function byFile(name: string): { readonly file: string; readonly args: readonly string[] } {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify({ id: 'z', name: 'example.com' }))
  return { file, args: ['gate', '--policy', file, '--listen', '127.0.0.1:0'] }
}

/** As Ctrl-C reaches all of a terminal's processes, while they start. */
const interrupt = workerRuns('interrupt', `process.kill(0, 'SIGINT')`)
/** One worker: a second signal would end the command as it ends any. */
const ONE_WORKER = ['--workers', '1']

describe('Ctrl-C while workers start', () => {
  const stops = async (...args: readonly string[]) => {
    const { code, err } = await endOf(startApart([...args, ...ONE_WORKER], interrupt))
    expect(err).not.toMatch(/cannot start|refused|^ +at /m)
    expect(code).toBe(0)
  }

  test('ends a gate by a file with exit code 0', async () => {
    await stops(...byFile('interrupted').args)
  })

  test('ends a gate that follows management with exit code 0', async () => {
    const management = await startManagement()
    process.env['PORTCULLIS_GATE_TOKEN'] = management.gateToken
    const state = ['--state', join(folder, 'interrupted'), '--listen', '127.0.0.1:0']
    await stops('gate', '--policy', management.policyUrl, ...state)
    delete process.env['PORTCULLIS_GATE_TOKEN']
    await management.close()
  })

  test('ends serve with exit code 0', async () => {
    const addresses = ['--listen', '127.0.0.1:0', '--gate', '127.0.0.1:0']
    await stops('serve', '--data', join(folder, 'data'), ...addresses)
  })
})

test('a gate by a file that is changed while workers start looks at it again, and stays', async () => {
  const { file, args } = byFile('changed')
  const change = `require('node:fs').writeFileSync('${file}', '{"id":"z","name":"example.org"}')`
  const both = workerRuns('change', `{ ${change}; process.kill(process.ppid, 'SIGHUP') }`)
  const child = startApart([...args, ...ONE_WORKER], both)
  const done = endOf(child)
  await line(child, /policy 2 is in force/)
  child.kill('SIGTERM')
  expect(await done).toMatchObject({ code: 0 })
})

test('a gate by a file ends with exit code 1 where workers are killed, and tells so', async () => {
  const kill = workerRuns('kill', `process.kill(process.pid, 'SIGKILL')`)
  const args = [...byFile('killed').args, '--workers', '2']
  const { code, err } = await endOf(startApart(args, kill))
  expect(err).toMatch(/^portcullis: cannot start: a worker ended: SIGKILL/m)
  expect(err).not.toMatch(/^ +at /m)
  expect(code).toBe(1)
})

test('workers whose leader is killed while they start end with it, without a word', async () => {
  const kill = workerRuns('kill-leader', `process.kill(process.ppid, 'SIGKILL')`)
  const args = [...byFile('led').args, '--workers', '2']
  const { code, err } = await endOf(startApart(args, kill))
  expect([code, err]).toEqual([null, ''])
})

describe.each(['0', '2'])('a gate that follows management, with --workers %s', (workers) => {
  let management: ManagementServer
  beforeEach(async () => {
    management = await startManagement()
    process.env['PORTCULLIS_GATE_TOKEN'] = management.gateToken
  })
  afterEach(async () => {
    delete process.env['PORTCULLIS_GATE_TOKEN']
    // Nothing was wrong with the policy.
    const { json } = await management.stage.call('GET', `/zones/${ZONE}/gate/instances`)
    for (const told of json.list) expect(told).toMatchObject({ refused: null })
    await management.close()
  })
  const commandLine = (listen: string) => {
    const policy = ['--policy', management.policyUrl, '--state', join(folder, 'state')]
    return ['gate', ...policy, '--listen', listen, '--workers', workers]
  }

  test('takes a network that is none for misuse', async () => {
    const run = await endOf(startCli(...commandLine('127.0.0.1:0'), '--trust', 'nonsense'))
    expect(run.err).toMatch(/^portcullis: --trust: "nonsense" is no address and no network$/m)
    expect(run.err).not.toMatch(/^ +at /m)
    expect(run.code).toBe(2)
  })

  test('ends with exit code 1 where its address is taken', async () => {
    const other = createServer()
    const { host } = new URL(await listening(other, { host: '127.0.0.1', port: 0 }))
    const { code, err } = await endOf(startCli(...commandLine(host)))
    other.close()
    expect(err).toMatch(/^portcullis: cannot listen: listen EADDRINUSE/m)
    expect(err).not.toMatch(/refused|^ +at /m)
    expect(code).toBe(1)
  })

  test('ends with exit code 1 where its address has no such host', async () => {
    const { code, err } = await endOf(startCli(...commandLine('nohost.invalid:1')))
    expect(err).toMatch(/^portcullis: cannot listen: getaddrinfo/m)
    expect(err).not.toMatch(/refused|^ +at /m)
    expect(code).toBe(1)
  })

  test.runIf(workers !== '0')('ends with exit code 1 where workers are killed', async () => {
    const kill = workerRuns('kill', `process.kill(process.pid, 'SIGKILL')`)
    const { code, err } = await endOf(startApart(commandLine('127.0.0.1:0'), kill))
    expect(err).toMatch(/^portcullis: cannot start: a worker ended: SIGKILL/m)
    expect(err).not.toMatch(/refused|^ +at /m)
    expect(code).toBe(1)
  })
})
