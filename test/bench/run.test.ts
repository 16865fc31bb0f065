import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'

const PACKAGE = fileURLToPath(new URL('../../package.json', import.meta.url))
const RUN = fileURLToPath(new URL('../../bench/run.mjs', import.meta.url))

/** What the benchmark says of arguments by which nothing is measured. */
function refusal(...args: readonly string[]) {
  const { status, stderr } = spawnSync(process.execPath, [RUN, ...args], { encoding: 'utf8' })
  return { status, said: stderr }
}

test.each([
  [['--only', 'nothing'], 'there is no suite nothing; there are decide, '],
  [['--runtime', 'nothing'], 'there is no runtime nothing; there are node'],
  [['--unheard-of'], "Unknown option '--unheard-of'"],
  [['verify'], "Unexpected argument 'verify'"],
  [['--page', 'missing.json'], 'no page can be made of missing.json: ENOENT'],
  [['--page', PACKAGE], 'package.json: it has no results'],
])('says of %s what is wrong', (args, expected) => {
  const { status, said } = refusal(...args)
  expect(said).toContain(expected)
  expect(said).not.toMatch(/^\s+at /m)
  expect(status).toBe(2)
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('leaves no folder behind when %s ends it amid servers', async (signal, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-stopped-'))
  const env = { ...process.env, TMPDIR: folder }
  const args = [RUN, '--only', 'save', '--smoke', '--out', join(folder, 'out.json')]
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
  onTestFinished(() => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  const isServing = () =>
    readdirSync(folder, { recursive: true }).some((name) => `${name}`.endsWith('.db'))
  await vi.waitUntil(isServing, { timeout: 20_000, interval: 10 })
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([expected, null])
  expect(readdirSync(folder)).toEqual([])
})

/** The benchmark is plain JavaScript, without declarations. */
const { jobsOf } = await import(new URL('../../bench/jobs-of.mjs', import.meta.url).href)

test.each([
  [
    ['node', 'bun', 'workerd'],
    ['verify node', 'verify bun', 'flood node'],
  ],
  [['bun'], ['verify bun']],
  [['workerd'], []],
])('runs on %s what can', (ids, expected) => {
  const suites = [{ name: 'verify', everywhere: true }, { name: 'flood' }]
  const jobs: { suite: { name: string }; runtime: { id: string } }[] = jobsOf(
    suites,
    ids.map((id) => ({ id })),
  )
  expect(jobs.map(({ suite, runtime }) => `${suite.name} ${runtime.id}`)).toEqual(expected)
})
