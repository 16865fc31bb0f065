import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { ChildProcess } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ask } from '../../../src/node/demo/index.js'
import { ZONE, type Item } from '../../management/stage.js'
import { HOST, startManagement, type ManagementServer } from '../management-server.js'
import { ended, line, startCli } from './run-cli.js'

const INSTANCES = `/zones/${ZONE}/gate/instances`

let folder: string
let management: ManagementServer
const children: ChildProcess[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portcullis-follow-'))
  management = await startManagement()
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await management.close()
  rmSync(folder, { recursive: true, force: true })
  expect(management.stage.faults).toEqual([])
})

function run(token = management.gateToken): ChildProcess {
  process.env['PORTCULLIS_GATE_TOKEN'] = token
  const address = ['--policy', management.policyUrl, '--listen', '127.0.0.1:0']
  const child = startCli('gate', ...address, '--state', folder, '--instance', 'gate-1', '--quiet')
  delete process.env['PORTCULLIS_GATE_TOKEN']
  children.push(child)
  return child
}

interface RunningGate {
  readonly child: ChildProcess
  status(): Promise<number>
  stop(): Promise<string>
}

async function start(): Promise<RunningGate> {
  const child = run()
  const done = ended(child)
  const url = /http:\S+/.exec(await line(child, /listens on/))?.[0] ?? ''
  const expected = { status: 200, decision: null }
  const step = { title: '', method: 'GET', host: HOST, path: '/orders', headers: {} } as const
  return {
    child,
    status: async () => (await ask(url, { ...step, expect: expected })).status,
    async stop() {
      child.kill('SIGTERM')
      const { code, err } = await done
      expect(code).toBe(0)
      return err
    },
  }
}

/** Waits until a gate answers so, and tells how many milliseconds it took. */
async function until(gate: RunningGate, passes: boolean): Promise<number> {
  const begin = performance.now()
  while (((await gate.status()) === 200) !== passes) {
    if (performance.now() - begin > 20_000) throw new Error('the change never came')
    await delay(2)
  }
  return performance.now() - begin
}

async function instance(matches: (found: Item) => boolean): Promise<Item> {
  for (let round = 0; round < 500; round++) {
    const [found] = (await management.stage.call('GET', INSTANCES)).json.list
    if (found !== undefined && matches(found)) return found
    await delay(10)
  }
  throw new Error('the gate never told so')
}

describe('a gate that follows management', () => {
  test('has a saved rule in force in under a second, and tells which version it runs', async () => {
    const gate = await start()
    expect(await gate.status()).toBe(200)
    for (const enabled of [true, false, true]) {
      await management.refuse(enabled)
      expect(await until(gate, !enabled)).toBeLessThan(1000)
    }
    const policy = await management.stage.management.policy(ZONE)
    const { version, hash } = policy!
    expect(await instance((found) => found['version'] === version)).toMatchObject({
      instance: 'gate-1',
      state: 'running',
      hash,
      refused: null,
    })
    expect(await gate.stop()).toContain(`version ${version} is in force`)
  })

  test('goes on without management, starts from disk, and catches up afterwards', async () => {
    const first = await start()
    await management.refuse(true)
    await until(first, false)
    const [kept = ''] = readdirSync(folder)
    expect(statSync(join(folder, kept)).mode & 0o777).toBe(0o600)

    const told = line(first.child, /no policy from management/)
    await management.leave()
    await management.refuse(false)
    await told
    expect(await first.status()).not.toBe(200)
    await first.stop()

    const second = await start()
    expect(await second.status()).not.toBe(200)
    await management.listen()
    await until(second, true)
    const policy = await management.stage.management.policy(ZONE)
    await instance((found) => found['version'] === policy!.version)
    expect(await second.stop()).toMatch(/in force, from disk[\s\S]*management answers/)
  })

  test('refuses a policy that does not compile, goes on with the old one, and says why', async () => {
    const gate = await start()
    await management.refuse(true)
    await until(gate, false)
    const { version } = (await management.stage.management.policy(ZONE))!
    await management.change('is_jwt_from_the_future("x")', false)
    const told = await instance((found) => found['refused'] !== null)
    expect(told).toMatchObject({
      version,
      refused: { version: version + 1, pointer: '/rules/0/expression' },
    })
    expect(await gate.status()).not.toBe(200)

    await management.change('true', true)
    await until(gate, true)
    expect(await instance((found) => found['refused'] === null)).toMatchObject({
      version: version + 2,
    })
    expect(await gate.stop()).toContain(`version ${version + 1} is refused, version ${version}`)
  })

  test('comes back to the version in force when a refused one is taken back', async () => {
    const gate = await start()
    const { version } = (await management.stage.management.policy(ZONE))!
    await management.change('nope', false)
    await instance((found) => found['refused'] !== null)
    await management.change('false', false)
    expect(await instance((found) => found['refused'] === null)).toMatchObject({
      version: version + 2,
    })
    expect(await gate.status()).toBe(200)
    await gate.stop()
  })

  test('waits for management when nothing is on disk, and ends when told to', async () => {
    await management.leave()
    const waiting = run()
    const done = ended(waiting)
    await line(waiting, /no policy from management/)
    await management.listen()
    await line(waiting, /listens on/)
    waiting.kill('SIGTERM')
    expect((await done).code).toBe(0)

    rmSync(folder, { recursive: true, force: true })
    await management.leave()
    const idle = run()
    await line(idle, /no policy from management/)
    idle.kill('SIGTERM')
    expect((await ended(idle)).code).toBe(0)
    await management.listen()
  })

  test('a wrong token ends it, unless there is a policy on disk; the token is not repeated', async () => {
    const refused = await ended(run('wrong-token'))
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.err).toMatch(
      /management answers 401 \(is the token in PORTCULLIS_GATE_TOKEN still/,
    )
    expect(refused.err).not.toContain('wrong-token')
    await (await start()).stop()
    const child = run('wrong-token')
    const done = ended(child)
    await line(child, /listens on/)
    child.kill('SIGTERM')
    expect((await done).err).toMatch(/in force, from disk/)
  })

  test('a signal to look again does not end it while management is away', async () => {
    await management.leave()
    const child = run()
    const done = ended(child)
    await line(child, /no policy from management/)
    child.kill('SIGHUP')
    child.kill('SIGTERM')
    expect(await done).toMatchObject({ code: 0 })
  })

  test('a token that is no longer valid leaves the policy in force, and is told of until it is', async () => {
    const gate = await start()
    const is = async (status: 'active' | 'disabled', told: RegExp) => {
      const { db } = management.stage
      await db.updateTable('api_tokens').set({ status }).where('name', '=', 'made').execute()
      const heard = line(gate.child, told)
      gate.child.kill('SIGHUP')
      await heard
    }
    await is(
      'disabled',
      /answers 401 \(is the token in .* still valid\?\), version \d+ stays in force/,
    )
    expect(await gate.status()).toBe(200)
    await is('active', /management answers$/)
    await gate.stop()
  })

  test('a file that is none of its own is told of and does no harm', async () => {
    await (await start()).stop()
    const [kept = ''] = readdirSync(folder)
    writeFileSync(join(folder, kept), '{"version":1')
    const gate = await start()
    expect(await gate.status()).toBe(200)
    await gate.stop()
    expect(JSON.parse(readFileSync(join(folder, kept), 'utf8'))).toHaveProperty('policy.id', ZONE)
    await management.leave()
    writeFileSync(join(folder, kept), '{"version":1')
    const child = run()
    const done = ended(child)
    await line(child, /no policy from management/)
    child.kill('SIGTERM')
    expect((await done).code).toBe(0)
    await management.listen()
  })
})

describe('the command line of a gate that follows', () => {
  test.each([
    ['no token', '', 'http://127.0.0.1:1/client/v4/zones/z/gate/policy', /PORTCULLIS_GATE_TOKEN/],
    ['another URL', 'x', 'http://127.0.0.1:1/policy.json', /gate\/policy/],
    [
      'a password',
      'x',
      'http://me:hidden@127.0.0.1:1/client/v4/zones/z/gate/policy',
      /credentials/,
    ],
    ['no URL', 'x', 'http://', /gate\/policy/],
  ])('%s is misuse', async (_, token, url, message) => {
    process.env['PORTCULLIS_GATE_TOKEN'] = token
    const { code, err } = await ended(startCli('gate', '--policy', url))
    delete process.env['PORTCULLIS_GATE_TOKEN']
    expect(code).toBe(2)
    expect(err).toMatch(message)
    expect(err).not.toContain('hidden')
  })
})
