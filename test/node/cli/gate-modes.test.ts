import { spawn, type ChildProcess } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoPolicy, makeDemoKeys, makeDemoTokens } from '../../../src/node/demo/index.js'
import { GATE_MODES, type GateMode } from '../../../src/node/index.js'
import { check, clientOf } from '../auth-service/grpc-stage.js'
import { ask } from '../auth-service/stage.js'
import { ended, line, runCli, startCli } from './run-cli.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-modes-'))
const policy = join(folder, 'policy.json')
const keys = makeDemoKeys()
const { customer } = await makeDemoTokens(keys, Date.now())
const upstream = createServer((_, response) => response.end('from upstream'))

beforeAll(async () => {
  await new Promise<void>((done) => void upstream.listen(0, '127.0.0.1', () => done()))
  const { port } = upstream.address() as AddressInfo
  writeFileSync(policy, JSON.stringify(demoPolicy(keys, `http://127.0.0.1:${port}`)))
})
afterAll(() => {
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

const host = 'api.localhost'
const path = '/orders/17'
const bearer = ['Authorization', `Bearer ${customer}`]
const way = ['X-Forwarded-Host', host]

/** One question of each mode on a connection of its own: the status, and what upstream is told. */
const QUESTIONS: Readonly<
  Record<GateMode, (port: number, headers: readonly string[]) => Promise<readonly unknown[]>>
> = {
  proxy: async (port, headers) => {
    const { status, body } = await ask(port, { path, headers: [...headers, 'Host', host] })
    return status === 200 ? [status, body] : [status]
  },
  'auth-request': async (port, headers) => {
    const asked = ['X-Original-Method', 'GET', 'X-Original-URI', path, ...way]
    return told(await ask(port, { path: '/', headers: [...headers, ...asked] }))
  },
  'forward-auth': async (port, headers) => {
    const asked = ['X-Forwarded-Method', 'GET', 'X-Forwarded-Uri', path, ...way]
    return told(await ask(port, { path: '/', headers: [...headers, ...asked] }))
  },
  'ext-authz': async (port, headers) =>
    told(await ask(port, { path, headers: [...headers, 'Host', host] })),
  'ext-authz-grpc': async (port, headers) => {
    // Its connection stays open, as Envoy's does: the gate ends it.
    const { status, headers: lines } = await check(clientOf(port), { path, host, headers })
    return told({ status, headers: Object.fromEntries(lines) })
  },
}

const told = ({ status, headers }: { status: number; headers: object }): readonly unknown[] => {
  const names = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return status === 200 ? [status, names.get('x-customer')] : [status]
}

/** The gate's port, once it listens. */
async function listening(child: ChildProcess): Promise<number> {
  const said = await line(child, /listens on http/)
  return Number(/:(\d+)\s*$/.exec(said)?.[1])
}

/** Enough that each process gets some. */
const MANY = 24

describe.each(['0', '2'])('gate --workers %s', (workers) => {
  test.each(GATE_MODES as readonly GateMode[])(
    '--mode %s answers on many connections, and ends when told to',
    async (mode) => {
      const options = ['--listen', '127.0.0.1:0', '--mode', mode, '--workers', workers]
      const child = startCli('gate', '--policy', policy, '--quiet', ...options)
      const end = ended(child)
      const pids = new Set<string>()
      child.stderr?.on('data', (text: Buffer) => {
        for (const [, pid] of `${text}`.matchAll(/gate process (\d+) listens/g)) pids.add(pid ?? '')
      })
      const port = await listening(child)
      const question = QUESTIONS[mode]
      const passed = mode === 'proxy' ? [200, 'from upstream'] : [200, 'customer-17']
      const all = await Promise.all(
        Array.from({ length: MANY }, (_, at) => question(port, at % 2 === 0 ? bearer : [])),
      )
      expect(all).toEqual(all.map((_, at) => (at % 2 === 0 ? passed : [401])))
      expect(pids.size).toBe(Number(workers))
      child.kill('SIGTERM')
      expect(await end).toMatchObject({ code: 0 })
    },
  )
})

test('a mode that is none is told with those that are', async () => {
  const { code, err } = await runCli(['gate', '--policy', policy, '--mode', 'grpc'])
  expect(err).toContain(
    'expected --mode proxy, auth-request, forward-auth, ext-authz, ext-authz-grpc',
  )
  expect(code).toBe(2)
})

describe('without the packages for gRPC', () => {
  const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
  const bare = join(folder, 'bare')

  /** The command as it is installed by who does not ask for gRPC. */
  beforeAll(() => {
    mkdirSync(join(bare, 'node_modules'), { recursive: true })
    for (const name of readdirSync(join(ROOT, 'node_modules')))
      if (name !== '@grpc')
        symlinkSync(join(ROOT, 'node_modules', name), join(bare, 'node_modules', name))
    cpSync(join(ROOT, 'dist'), join(bare, 'dist'), { recursive: true })
    cpSync(join(ROOT, 'package.json'), join(bare, 'package.json'))
  })

  const start = (...args: readonly string[]) => {
    const all = ['dist/node/cli/main.js', 'gate', '--policy', policy, '--listen', '127.0.0.1:0']
    return spawn(process.execPath, [...all, ...args], { cwd: bare })
  }

  test.each(['0', '2'])('--mode ext-authz-grpc --workers %s says what to install', async (n) => {
    const { code, err } = await ended(start('--mode', 'ext-authz-grpc', '--workers', n))
    expect(err).toMatch(/^portcullis: .*npm install @grpc\/grpc-js@1 @grpc\/proto-loader@0\.8$/m)
    expect(code).toBe(1)
  })

  test('every other mode works', async () => {
    const child = start('--mode', 'ext-authz')
    const end = ended(child)
    expect(await QUESTIONS['ext-authz'](await listening(child), [])).toEqual([401])
    child.kill('SIGTERM')
    expect(await end).toMatchObject({ code: 0 })
  })
})
