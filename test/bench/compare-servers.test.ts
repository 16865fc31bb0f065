import { expect, test, vi } from 'vitest'

/** As in a smoke: one round. The benchmark is plain JavaScript, without declarations. */
vi.stubEnv('BENCH_ROUNDS', '1')
vi.spyOn(console, 'log').mockImplementation(() => {})
const file = new URL('../../bench/measure/compare-servers.mjs', import.meta.url).href
const { compareServers } = await import(file)
vi.unstubAllEnvs()

/** Compares one server that is no process: it says whether it refuses a bad token. */
function compared(named: { checks?: boolean }, doesRefuse: boolean) {
  let cpu = 0
  const start = () => ({ port: 1, used: () => ({ cpu: ++cpu, rss: 1 }), stop() {} })
  const load = async () => {}
  return compareServers('g', [{ name: 'one', start, ...named }], load, async () => doesRefuse)
}

test.each([
  ['looks at tokens and lets a bad one pass', { checks: true }, false],
  ['looks at none and refuses one', {}, true],
])('a server that %s is not measured', async (_, named, doesRefuse) => {
  await expect(compared(named, doesRefuse)).rejects.toThrow('one: a wrong answer to a bad token')
})

test.each([
  [{ checks: true }, true],
  [{}, false],
])('a server that should be as %j is measured', async (named, doesRefuse) => {
  expect(await compared(named, doesRefuse)).toMatchObject([{ name: 'one', ratio: 1 }])
})
