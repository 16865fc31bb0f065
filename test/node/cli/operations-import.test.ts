import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { openStore } from '../../../src/node/store/index.js'
import { judged } from '../../management/contract.js'
import { runCli } from './run-cli.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-import-'))
const data = join(folder, 'data')
const shop = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://example.com/v1' }, { url: 'http://localhost:3000' }],
  paths: { '/carts': { get: {}, post: {} }, '/carts/{id}': { get: {} }, '/{a}.json': { get: {} } },
}

function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

let zone = ''
const imported = (path: string, args: readonly string[] = [], input?: string) =>
  runCli(['operations', 'import', path, '--zone', zone, '--data', data, ...args], input)

/** What is kept in the store, read from it. */
async function stored(path: string): Promise<readonly Record<string, unknown>[]> {
  const { management, close } = await openStore({ data }, (cause) => {
    throw cause
  })
  const address = `http://localhost/client/v4/zones/${zone}/${path}`
  const response = await judged(management.fetchAsOwner)(new Request(address))
  const { result } = (await response.json()) as { result: Record<string, unknown>[] }
  await close()
  return result
}

beforeAll(async () => {
  const made = await runCli(['zone', 'add', 'example.com', '--account', 'acme', '--data', data])
  zone = made.out.trim()
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('operations import', () => {
  test('of JSON adds them, tells what is left out, and adds nothing twice', async () => {
    const path = file('shop.json', shop)
    const first = await imported(path)
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toContain(`${path}/servers/1/url`)
    expect(first.out).toContain(`${path}/paths/~1{a}.json`)
    expect(first.out).toMatch(/3 operations added, 0 were there already\n$/)
    const kept = await stored('api_gateway/operations')
    expect(kept.map(({ method, host, endpoint }) => [method, host, endpoint])).toEqual([
      ['GET', 'example.com', '/v1/carts'],
      ['POST', 'example.com', '/v1/carts'],
      ['GET', 'example.com', '/v1/carts/{var1}'],
    ])
    expect((await imported(path)).out).toMatch(/0 operations added, 3 were there already\n$/)
    expect(await stored('api_gateway/operations')).toEqual(kept)
    const [line] = await stored('audit_log?object_type=operation')
    expect(line).toMatchObject({ actor: { id: 'command-line' }, action: { type: 'create' } })
  })

  test('of YAML on standard input, answered in JSON', async () => {
    const more = { ...shop, paths: { '/new/{x}': { delete: {} }, '/carts': { get: {} } } }
    const { code, out } = await imported('-', ['--json'], stringify(more))
    expect(code).toBe(0)
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
    const host = 'example.com'
    expect(JSON.parse(out)).toEqual({
      operations: [
        { operation_id: id, method: 'DELETE', host, endpoint: '/v1/new/{var1}' },
        { operation_id: id, method: 'GET', host, endpoint: '/v1/carts' },
      ],
      added: 1,
      warnings: [expect.objectContaining({ source: { pointer: '/servers/1/url' } })],
    })
  })

  test('of a document that is refused adds nothing, and tells each fault with its place', async () => {
    const before = await stored('api_gateway/operations')
    const path = file('bad.json', {
      ...shop,
      paths: { '/z': { get: {} }, a: {}, '/b': { put: 1 } },
    })
    const { code, out } = await imported(path)
    expect(code).toBe(1)
    expect(out).toContain(`${path}/paths/a`)
    expect(out).toContain(`${path}/paths/~1b/put`)
    expect(await stored('api_gateway/operations')).toEqual(before)
    const json = await imported(path, ['--json'])
    expect(json.code).toBe(1)
    expect(JSON.parse(json.out)).toMatchObject({
      errors: [{ source: { pointer: '/paths/a' } }, {}],
    })
  })

  test.each([
    ['broken.yaml', 'openapi: 3.1.0\npaths: [', /line 2, column 9|line 2, column 8/],
    [
      'other.json',
      { ...shop, servers: [{ url: 'https://example.org' }] },
      /no operation in the zone/,
    ],
  ])('of %s is refused', async (name, content, message) => {
    const { code, out } = await imported(file(name, content))
    expect(code).toBe(1)
    expect(out).toMatch(message)
  })

  test('of a file that is not there, or into a zone that is not there', async () => {
    const none = await imported(join(folder, 'none.json'))
    expect(none).toMatchObject({ code: 1, err: expect.stringMatching(/no such file/) })
    const path = file('shop.json', shop)
    const other = await runCli(['operations', 'import', path, '--zone', 'x', '--data', data])
    expect(other).toMatchObject({ code: 1, out: expect.stringMatching(/no such zone/) })
  })

  test.each([
    [['operations'], /expected import FILE/],
    [['operations', 'import'], /expected a file/],
    [['operations', 'import', 'a', '--data', data], /expected --zone ID/],
    [['operations', 'import', 'a', '--zone', 'x'], /expected --data DIR/],
    [['operations', 'import', 'a', 'b', '--zone', 'x', '--data', data], /unexpected 'b'/],
    [['operations', 'export', 'a'], /expected import FILE/],
  ])('%j is misuse', async (args, message) => {
    const run = await runCli(args)
    expect(run.err).toMatch(message)
    expect(run.code).toBe(2)
  })
})
