import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli } from './run-cli.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-backup-'))
const data = join(folder, 'data')
const file = join(folder, 'store.backup')

beforeAll(async () => {
  await runCli(['zone', 'add', 'example.com', '--account', 'a', '--data', data])
  await runCli(['backup', file, '--data', data])
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('backup and restore', () => {
  test('one file that only its owner reads, and from it the same store', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n')
    const other = join(folder, 'other')
    mkdirSync(other)
    copyFileSync(join(data, 'secret.key'), join(other, 'secret.key'))
    const run = await runCli(['restore', file, '--data', other])
    expect(run).toEqual({ code: 0, out: `${lines.length - 2} rows are restored\n`, err: '' })
    const zones = await runCli(['zone', 'list', '--data', data])
    expect(zones.out).toContain('example.com')
    expect(await runCli(['zone', 'list', '--data', other])).toEqual(zones)
    const again = join(folder, 'again.backup')
    await runCli(['backup', again, '--data', other])
    expect(gunzipSync(readFileSync(again)).toString().trim().split('\n')).toEqual(lines)
    const full = await runCli(['restore', file, '--data', other])
    expect(full).toMatchObject({ code: 1, err: expect.stringMatching(/empty store only/) })
  })

  test('a backup in place of an older one', async () => {
    const { code, out } = await runCli(['backup', file, '--data', data])
    expect([code, out]).toEqual([0, expect.stringMatching(/^\d+ rows are in /)])
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([])
  })

  test('a place that cannot be written leaves nothing', async () => {
    const run = await runCli(['backup', join(folder, 'none', 'x'), '--data', data])
    expect(run).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/ENOENT/) })
  })

  test.each<[string, () => Uint8Array, RegExp]>([
    ['cut off', () => readFileSync(file).subarray(0, -20), /bad\.backup is cut off/],
    ['that is none', () => Buffer.from('hello'), /bad\.backup is no backup/],
  ])('a file %s is refused and leaves the store empty', async (name, content, message) => {
    const bad = join(folder, 'bad.backup')
    writeFileSync(bad, content())
    const empty = join(folder, `empty ${name}`)
    const run = await runCli(['restore', bad, '--data', empty])
    expect(run).toMatchObject({ code: 1, out: '', err: expect.stringMatching(message) })
    expect((await runCli(['zone', 'list', '--json', '--data', empty])).out).toBe('')
  })

  test('a file that is not there', async () => {
    const run = await runCli(['restore', join(folder, 'none'), '--data', join(folder, 'new')])
    expect(run).toMatchObject({ code: 1, err: expect.stringMatching(/no such file/) })
  })

  test.each([
    [['backup'], /expected a file/],
    [['restore'], /expected a file/],
    [['backup', 'a', 'b', '--data', data], /unexpected 'b'/],
    [['restore', 'a', 'b', '--data', data], /unexpected 'b'/],
    [['backup', 'a'], /expected --data DIR/],
    [['restore', 'a'], /expected --data DIR/],
  ])('%j is misuse', async (args, message) => {
    const run = await runCli(args)
    expect(run.err).toMatch(message)
    expect(run.code).toBe(2)
  })
})
