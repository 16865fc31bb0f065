import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { DialectName } from '../../../src/node/auth-service/index.js'
import { closedPort, upstream as startUpstream } from '../proxy/stage.js'
import { ask, stage, tokenOf } from './stage.js'

const guide = readFileSync(
  new URL('../../../src/node/auth-service/AUTH-SERVICE.md', import.meta.url),
  'utf8',
)

/** The example of the guide in a language. */
const example = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([^\`]*)\`\`\``).exec(guide)?.[1] ?? ''

interface Place {
  readonly port: number
  readonly gate: number
  readonly upstream: string
}

interface RealProxy {
  readonly name: string
  readonly command: string
  readonly dialect: DialectName
  readonly isThere: boolean
  /** Writes its configuration, and gives the arguments to start it with. */
  prepare(folder: string, place: Place): readonly string[]
}

const isThere = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).error === undefined

const PROXIES: readonly RealProxy[] = [
  {
    name: 'nginx',
    command: 'nginx',
    dialect: 'auth-request',
    isThere: isThere('nginx', '-v'),
    prepare(folder, { port, gate, upstream }) {
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      const file = join(folder, 'nginx.conf')
      writeFileSync(
        file,
        `daemon off; pid ${folder}/pid; error_log stderr; worker_processes 1;
        events {}
        http {
          access_log off;
          ${paths.map((path) => `${path}_temp_path ${folder}/${path};`).join('\n')}
          upstream upstream { server ${new URL(upstream).host}; }
          upstream portcullis { server 127.0.0.1:${gate}; }
          server { listen 127.0.0.1:${port}; ${example('nginx')} }
        }`,
      )
      return ['-p', folder, '-c', file]
    },
  },
  {
    name: 'Caddy',
    command: 'caddy',
    dialect: 'forward-auth',
    isThere: isThere('caddy', 'version'),
    prepare(folder, { port, gate, upstream }) {
      const file = join(folder, 'Caddyfile')
      const blocks = example('caddyfile')
        .replace('forward_auth portcullis', `forward_auth 127.0.0.1:${gate}`)
        .replace('reverse_proxy upstream', `reverse_proxy ${new URL(upstream).host}`)
      writeFileSync(
        file,
        `{
          admin off
          auto_https off
          storage file_system ${folder}
        }
        http://:${port} {
          bind 127.0.0.1
          ${blocks}
        }`,
      )
      return ['run', '--config', file, '--adapter', 'caddyfile']
    },
  },
]

/** Starts a proxy in front of a gate and of an upstream that says what it got. */
async function start(proxy: RealProxy): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-'))
  const { port: gate } = await stage({ dialect: proxy.dialect })
  const echo = await startUpstream(({ method, url, headers }, response) => {
    const twins = Object.keys(headers).filter((name) => /^x[^-]user$/.test(name))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method, url, user: headers['x-user'] ?? null, twins }))
  })
  const port = await closedPort()
  const args = proxy.prepare(folder, { port, gate, upstream: echo })
  let said = ''
  const child = spawn(proxy.command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(said)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return port
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

const host = ['Host', 'shop.example']
const bearer = ['Authorization', `Bearer ${tokenOf('ada')}`]
const json = ['Accept', 'application/json']

for (const proxy of PROXIES) {
  if (!proxy.isThere) console.warn(`${proxy.name} is not installed: its tests are skipped`)
}

describe.each(PROXIES)('$name, set up as the guide says', (proxy) => {
  test.skipIf(!proxy.isThere)('asks the gate about every request', async () => {
    const port = await start(proxy)
    const get = (path: string, ...headers: readonly string[]) =>
      ask(port, { path, headers: [...host, ...headers] })

    const passed = await get('/orders?page=2', ...bearer, 'X-User', 'root')
    expect(passed.status).toBe(200)
    expect(JSON.parse(passed.body)).toEqual({
      method: 'GET',
      url: '/orders?page=2',
      user: 'ada',
      twins: [],
    })

    const invented = await get('/health', 'X-User', 'root')
    expect(invented.status).toBe(200)
    expect(JSON.parse(invented.body)).toMatchObject({ url: '/health' })
    expect(invented.body).not.toContain('root')

    const nobody = await get('/health')
    expect(nobody.status).toBe(200)
    // Caddy sends the placeholder itself for a header that the gate does not mention.
    expect(JSON.parse(nobody.body).user || null).toBeNull()

    const refused = await get('/orders', ...json)
    expect(refused.status).toBe(401)
    expect(refused.headers['www-authenticate']).toBe('Bearer realm="shop.example"')
    expect(refused.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(refused.body)).toMatchObject({ error_code: 1020, status: 401 })

    const posted = await ask(port, { method: 'POST', path: '/orders', headers: [...host, ...json] })
    expect(posted.status).toBe(401)
    expect(JSON.parse(posted.body)).toMatchObject({ error_code: 1020 })
  })

  test.skipIf(!proxy.isThere)('hands on no twin of a claim header', async () => {
    const port = await start(proxy)
    for (const twin of ['X_User', 'x.user']) {
      const headers = [...host, ...bearer, twin, 'root']
      const { status, body } = await ask(port, { path: '/orders', headers })
      // nginx drops such names by itself.
      if (proxy.name === 'nginx') expect(JSON.parse(body)).toMatchObject({ user: 'ada', twins: [] })
      else expect([twin, status]).toEqual([twin, 400])
    }
  })

  test.skipIf(!proxy.isThere)('hands on a claim that the client lists in Connection', async () => {
    const port = await start(proxy)
    const headers = [...host, ...bearer, 'Connection', 'close, X-User', 'X-User', 'root']
    const { body } = await ask(port, { path: '/orders', headers })
    expect(JSON.parse(body)).toMatchObject({ user: 'ada' })
  })

  test.skipIf(!proxy.isThere)('hands on no stranger’s word about the request', async () => {
    const port = await start(proxy)
    const lies = [
      ['X-Original-URI', '/health'],
      ['X-Original-URL', '/health'],
      ['X-Original-Method', 'PUT'],
      ['X-Forwarded-Uri', '/health'],
      ['X-Forwarded-Method', 'PUT'],
      ['X-Forwarded-Host', 'else.example'],
      ['X-Rewrite-URL', '/health'],
      ['X-Http-Method-Override', 'PUT'],
      ['X-Portcullis-Answer', 'page'],
      ['Forwarded', 'host=else.example'],
    ]
    for (const lie of lies) {
      const { status } = await ask(port, { path: '/orders', headers: [...host, ...lie] })
      expect([lie, status]).toEqual([lie, 401])
    }
    const both = await ask(port, { path: '/orders', headers: [...host, ...lies.flat()] })
    expect(both.status).toBe(401)
  })

  test.skipIf(!proxy.isThere)('refuses a path that upstream may read in another way', async () => {
    const port = await start(proxy)
    for (const path of ['/x/../health', '//health', '/x/%2e%2e/health']) {
      const { status, body } = await ask(port, { path, headers: [...host, ...json] })
      expect([path, status]).toEqual([path, 400])
      expect(JSON.parse(body)).toMatchObject({ error_code: 1020, status: 400 })
    }
  })
})
