import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore, type Store } from '../../../src/node/serve/index.js'
import { addSecretKey } from '../../../src/node/store/index.js'
import { keyFor } from '../../edge/token/keys.js'
import { judged } from '../../management/contract.js'
import { runCli } from './run-cli.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-rotate-'))
const data = join(folder, 'data')
const keyFile = join(data, 'secret.key')
const hmac = keyFor('HS256').jwk as { readonly k: string }

let zone = ''
const open = (): Promise<Store> =>
  openStore({ data }, (cause) => {
    throw cause
  })
const rotate = (...args: readonly string[]) =>
  runCli(['secrets', 'rotate', '--data', data, ...args])
const keys = () => readFileSync(keyFile, 'utf8').trim().split('\n')

async function addConfiguration({ management }: Store): Promise<void> {
  const body = {
    title: 'Tokens',
    description: '',
    token_type: 'JWT',
    token_sources: ['http.request.cookies["token"][0]'],
    credentials: { keys: [hmac] },
  }
  const { status } = await judged(management.fetchAsOwner)(
    new Request(`http://localhost/client/v4/zones/${zone}/token_validation/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
  expect(status).toBe(200)
}

/** The secrets as gates get them, as often as they are in a policy. */
async function secretsOf({ management }: Store): Promise<number> {
  return JSON.stringify(await management.policy(zone)).split(hmac.k).length - 1
}

beforeAll(async () => {
  zone = (await runCli(['zone', 'add', 'example.com', '--account', 'a', '--data', data])).out.trim()
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('secrets rotate', () => {
  test('seals everything anew under a store that is open, which goes on reading and writing', async () => {
    const running = await open()
    await addConfiguration(running)
    await addConfiguration(running)
    const before = keys()
    expect(await rotate()).toEqual({
      code: 0,
      out: '2 secrets are sealed with the new key\n',
      err: '',
    })
    expect(keys()).toEqual([expect.stringMatching(/^[\w-]{43}$/), ...before])
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect(await secretsOf(running)).toBe(2)
    await addConfiguration(running)
    expect(await secretsOf(running)).toBe(3)
    await running.close()
    const later = await open()
    expect(await secretsOf(later)).toBe(3)
    await later.close()
  })

  test('afterwards the first key alone opens everything', async () => {
    await rotate()
    const all = keys()
    writeFileSync(keyFile, `${all[0]!}\n`)
    const store = await open()
    expect(await secretsOf(store)).toBe(3)
    await store.close()
    writeFileSync(keyFile, `${all.at(-1)!}\n`)
    const old = await open()
    await expect(old.management.policy(zone)).rejects.toMatchObject({ code: 'unknown_key' })
    await old.close()
    writeFileSync(keyFile, `${all.join('\n')}\n`)
  })

  test('with the keys in the environment makes no key and seals with the first one there', async () => {
    const [first] = keys()
    const fresh = Buffer.alloc(32, 7).toString('base64url')
    const before = process.env['PORTCULLIS_SECRET_KEY']
    process.env['PORTCULLIS_SECRET_KEY'] = `${fresh},${first!}`
    try {
      const { code, out } = await rotate()
      expect([code, out]).toEqual([0, '3 secrets are sealed with the first key\n'])
    } finally {
      if (before === undefined) delete process.env['PORTCULLIS_SECRET_KEY']
      else process.env['PORTCULLIS_SECRET_KEY'] = before
    }
    expect(keys()[0]).toBe(first)
    const store = await openStore({ data, secretKey: fresh }, () => {})
    expect(await secretsOf(store)).toBe(3)
    await store.close()
    writeFileSync(keyFile, `${fresh}\n`)
  })

  test('prints no key, and a key that cannot be used is told without it', async () => {
    const whole = keys().join('\n')
    const { out, err } = await rotate()
    for (const key of keys()) expect(out + err).not.toContain(key)
    writeFileSync(keyFile, 'not-a-key-but-secret')
    const bad = await rotate()
    expect(bad.code).toBe(1)
    expect(bad.err).toMatch(/must hold keys of 32 bytes/)
    expect(bad.err).not.toContain('but-secret')
    expect(readFileSync(keyFile, 'utf8')).toBe('not-a-key-but-secret')
    writeFileSync(keyFile, whole)
  })

  test('of two at once none loses the key of the other', async () => {
    const before = keys().length
    const ends = await Promise.allSettled(Array.from({ length: 8 }, () => addSecretKey(keyFile)))
    const added = ends.filter(({ status }) => status === 'fulfilled').length
    expect(added).toBeGreaterThan(0)
    expect(keys()).toHaveLength(before + added)
    for (const end of ends)
      if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'busy' })
  })

  test.each([
    [['secrets'], /expected rotate/],
    [['secrets', 'show', '--data', data], /expected rotate/],
    [['secrets', 'rotate', 'x', '--data', data], /unexpected 'x'/],
    [['secrets', 'rotate'], /expected --data DIR/],
    [['secrets', 'rotate', '--drop-all', '--data', data], /--drop-all/],
    [['secrets', 'rotate', '--database', 'postgres://x/y'], /secrets need a key/],
  ])('%j is misuse', async (args, message) => {
    const run = await runCli(args)
    expect(run.err).toMatch(message)
    expect(run.code).toBe(2)
  })
})
