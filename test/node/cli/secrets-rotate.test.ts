import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { addSecretKey, openStore } from '../../../src/node/store/index.js'
import { runCli } from './run-cli.js'
import { sealedStore, withSecretKey } from './sealed-store.js'

const { data, zone, keyFile, keys, open, rotate, addConfiguration, secretsOf, remove } =
  await sealedStore()
afterAll(remove)

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
    const { code, out } = await withSecretKey([fresh, first!], rotate)
    expect([code, out]).toEqual([0, '3 secrets are sealed with the first key\n'])
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
