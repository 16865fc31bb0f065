import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { judgedFetch } from '../../management/contract.js'
import { startServing, stopServing, through, type Serving } from '../serve/serving.js'
import { runCli } from './run-cli.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-store-'))
const data = join(folder, 'data')
const at = (...args: string[]) => runCli([...args, '--data', data])
const json = (text: string): readonly Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each) as Record<string, unknown>)

const upstream = createServer((_, response) => response.end('from upstream'))
beforeAll(() => new Promise<void>((done) => void upstream.listen(0, '127.0.0.1', () => done())))
afterAll(() => {
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
})
const upstreamUrl = () => `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`

describe('commands upon a store', () => {
  test.each([
    [['serve', '--help'], /--gate HOST:PORT/],
    [['token', '--help'], /--permission NAME/],
    [['zone', 'add', '--help'], /--upstream URL/],
  ])('%j teaches, and exits 0', async (args, out) => {
    const run = await runCli(args)
    expect(run.out).toMatch(out)
    expect(run.code).toBe(0)
  })

  test.each([
    [['serve'], /expected --data DIR or --database URL/],
    [['serve', '--data', data, 'more'], /unexpected 'more'/],
    [['serve', '--data', data, '--listen', 'nowhere'], /expected HOST:PORT/],
    [['serve', '--data', data, '--gate', 'nowhere'], /expected HOST:PORT/],
    [['serve', '--data', data, '--log-level', 'loud'], /expected one of debug/],
    [['serve', '--data', data, '--trust', 'nonsense'], /--trust: "nonsense" is no address/],
    [['serve', '--database', 'mysql://root:hunter2@db'], /such as postgres:/],
    [['serve', '--database', 'postgres://root:hunter2@db/x'], /secrets need a key/],
    [['token', '--data', data], /expected create, list or revoke/],
    [['token', 'create', '--data', data, '--permission', 'gate'], /expected --name/],
    [['token', 'create', '--data', data, '--name', 'x'], /expected --permission/],
    [['token', 'list'], /expected --data DIR/],
    [['token', 'revoke', '--data', data], /expected the id/],
    [['token', 'revoke', 'a', 'b', '--data', data], /unexpected 'b'/],
    [['zone', '--data', data], /expected add HOSTNAME or list/],
    [['zone', 'add', '--data', data], /expected a host name/],
    [['zone', 'add', 'a.example', '--data', data], /expected --account/],
    [['zone', 'list', '--colour', '--data', data], /colour/],
  ])('%j is misuse: exit 2, nothing is made, no password repeated', async (args, message) => {
    const run = await runCli(args)
    expect(run.err).toMatch(message)
    expect(run.err).toMatch(/Try 'portcullis/)
    expect(run.err).not.toContain('hunter2')
    expect(run.code).toBe(2)
    expect(existsSync(data)).toBe(false)
  })

  test('a store that cannot be looked at is not told to be missing', async () => {
    const loop = join(folder, 'loop')
    symlinkSync(loop, loop)
    const run = await runCli(['zone', 'list', '--data', loop])
    expect(run).toMatchObject({ code: 1, err: expect.stringMatching(/^portcullis: ELOOP/) })
  })

  test('zone add prints the id and makes the account; list tells both ways', async () => {
    const added = await at('zone', 'add', 'Shop.Example', '--account', 'acme', '--id', 'shop')
    expect(added).toEqual({ code: 0, out: 'shop\n', err: '' })
    const made = await at(
      'zone',
      'add',
      'b.example',
      '--account',
      'acme',
      '--upstream',
      'http://b:9',
      '--plan',
      'pro',
    )
    expect(made.out).toMatch(/^[0-9a-f]{32}\n$/)
    const listed = await at('zone', 'list')
    expect(listed.out).toMatch(/^ID +NAME +ACCOUNT +PLAN +UPSTREAM\n/)
    expect(listed.out).toMatch(/^[0-9a-f]{32} +b\.example +acme +pro +http:\/\/b:9$/m)
    expect(listed.out).toMatch(/^shop +shop\.example +acme +free +-$/m)
    expect(json((await at('zone', 'list', '--json')).out)).toMatchObject([
      { name: 'b.example', upstream: 'http://b:9' },
      { id: 'shop', name: 'shop.example', account: { id: 'acme' } },
    ])
  })

  test.each([
    [['shop.example', '--account', 'acme'], /there is a zone of this name or id/],
    [['a b', '--account', 'other'], /\/name: expected a host name/],
    [['c.example', '--account', 'acme', '--upstream', 'ftp://c'], /\/upstream: /],
    [['c.example', '--account', 'acme', '--plan', 'gold'], /\/plan\/id: /],
  ])('zone add %j is refused: exit 1, and why', async (args, message) => {
    const run = await at('zone', 'add', ...args)
    expect(run.err).toMatch(message)
    expect(run).toMatchObject({ code: 1, out: '' })
  })

  test('token create prints the text once, list never, revoke ends it', async () => {
    const args = ['--name', 'a gate', '--permission', 'gate', '--permission', 'zones:read']
    const made = await at('token', 'create', ...args, '--zone', 'shop')
    expect(made.out).toMatch(/^pcl_[\w-]{43}\n$/)
    expect(made).toMatchObject({ code: 0, err: '' })
    const more = ['--name', 'ops', '--permission', 'operator', '--expires', '2030-01-01T00:00:00Z']
    const [whole] = json((await at('token', 'create', ...more, '--json')).out)
    expect(whole).toMatchObject({ name: 'ops', status: 'active' })
    const listed = await at('token', 'list')
    expect(listed.out).toMatch(/^\w{32} +a gate +active +gate,zones:read +zone:shop +never$/m)
    expect(listed.out).toMatch(/^\w{32} +ops +active +operator +\* +never$/m)
    expect(listed.out).not.toMatch(/pcl_/)
    expect((await at('token', 'list', '--json')).out).not.toMatch(/pcl_|hash/)
    const id = String(whole?.['id'])
    expect(await at('token', 'revoke', id)).toMatchObject({ code: 0, err: '' })
    expect((await at('token', 'list')).out).not.toContain(id)
    const again = await at('token', 'revoke', id)
    expect(again).toMatchObject({ code: 1, err: 'portcullis: there is no such API token\n' })
  })

  test.each([
    [['--permission', 'everything'], /permission_groups\/0\/id/],
    [['--permission', 'gate', '--expires', 'tomorrow'], /\/expires_on/],
    [['--permission', 'gate', '--zone', 'shpo'], /there is no zone shpo/],
    [['--permission', 'gate', '--account', 'acem'], /there is no account acem/],
  ])('token create %j is refused: exit 1, and why', async (args, message) => {
    const run = await at('token', 'create', '--name', 'x', ...args)
    expect(run.err).toMatch(message)
    expect(run).toMatchObject({ code: 1, out: '' })
  })

  test('token create takes a time that is over for misuse', async () => {
    const args = ['--name', 'x', '--permission', 'gate', '--expires', '2026-01-01T00:00:00Z']
    const run = await at('token', 'create', ...args)
    expect(run.err).toMatch(/expected --expires in the future, found '2026-01-01T00:00:00Z'/)
    expect(run).toMatchObject({ code: 2, out: '' })
  })

  test('a running serve takes up a zone and a token of another process, and drops the token', async () => {
    const serving: Serving = await startServing(data)
    const judged = judgedFetch(serving.origin)
    const verify = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await judged(`${serving.origin}/client/v4/user/tokens/verify`, { headers })).status
    }
    try {
      const args = ['--account', 'acme', '--upstream', upstreamUrl()]
      await at('zone', 'add', 'live.example', ...args)
      await expect
        .poll(async () => (await through(serving, 'live.example', '/')).body, { timeout: 5000 })
        .toBe('from upstream')
      const create = ['token', 'create', '--name', 'x', '--permission', 'zones:read', '--json']
      const [made] = json((await at(...create)).out)
      const value = String(made?.['value'])
      expect(await verify(value)).toBe(200)
      await at('token', 'revoke', String(made?.['id']))
      expect(await verify(value)).toBe(401)
    } finally {
      const { out } = await stopServing(serving)
      // There were tokens already: the first start with them makes none.
      expect(out).not.toContain('pcl_')
    }
  })

  test.each([
    [['backup', join(folder, 'none.gz')]],
    [['zone', 'list']],
    [['token', 'list']],
    [['token', 'create', '--name', 'x', '--permission', 'gate']],
    [['operations', 'import', '-', '--zone', 'z']],
    [['secrets', 'rotate']],
  ])('%j in a folder without a store: exit 1, and none is made', async (args) => {
    const mistyped = join(folder, 'dtaa')
    const run = await runCli([...args, '--data', mistyped])
    expect(run.err).toContain(`there is no store in ${mistyped} (no portcullis.db): --data names`)
    expect(run).toMatchObject({ code: 1, out: '' })
    expect([existsSync(mistyped), existsSync(join(folder, 'none.gz'))]).toEqual([false, false])
  })

  test('a store that does not open: exit 1, and why', async () => {
    const database = 'postgres://root:hunter2@127.0.0.1:1/none'
    const run = await runCli(['zone', 'list', '--database', database])
    expect(run.err).toMatch(/ECONNREFUSED/)
    expect(run.err).not.toContain('hunter2')
    expect(run).toMatchObject({ code: 1, out: '' })
  })
})
