import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

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
