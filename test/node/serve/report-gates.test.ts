import { expect, test } from 'vitest'
import { PolicyError } from '../../../src/edge/index.js'
import type { InstanceReport, ZonePolicy } from '../../../src/management/index.js'
import { reportGates } from '../../../src/node/serve/report-gates.js'

/** Gates that run what a test says, with a clock that a test turns. */
function stage(fails = () => false) {
  const running = new Map<string, number>()
  const told: (readonly InstanceReport[])[] = []
  const timers: { readonly ms: number; readonly run: () => void }[] = []
  const reports = reportGates({
    async tell(each) {
      if (fails()) throw new Error('the store is away')
      told.push(each)
    },
    running: () =>
      [...running].map(([id, version]) => ({
        zone: { id, name: id } satisfies ZonePolicy['zone'],
        version,
        hash: `h${version}`,
      })),
    instance: 'here:8080',
    started_at: 7,
    later(ms, run) {
      const timer = { ms, run }
      timers.push(timer)
      return () => {
        const at = timers.indexOf(timer)
        if (at !== -1) timers.splice(at, 1)
      }
    },
  })
  return {
    running,
    told,
    reports,
    waits: () => timers.map(({ ms }) => ms),
    async strike() {
      timers.shift()?.run()
      await new Promise((done) => setImmediate(done))
    },
  }
}

const issue = { code: 'unknown_field', message: 'no such field', pointer: '/zones/3/rules/0' }
const refused = (zone: string, version: number) =>
  ({ kind: 'refused', zone, version, cause: new PolicyError([issue]) }) as const
const inForce = (zone: string, version: number) => ({ kind: 'in_force', zone, version }) as const

test('what comes into force in the same half second is told at once, and again every 20 s', async () => {
  const { running, told, reports, waits, strike } = stage()
  expect(waits()).toEqual([20_000])
  running.set('a', 1).set('b', 4)
  reports.heard(inForce('a', 1))
  reports.heard(inForce('b', 4))
  expect(waits()).toEqual([500])
  await strike()
  const common = { instance: 'here:8080', started_at: 7, refused: undefined }
  const both = [
    { zone_id: 'a', version: 1, hash: 'h1', ...common },
    { zone_id: 'b', version: 4, hash: 'h4', ...common },
  ]
  expect(told).toEqual([both])
  expect(waits()).toEqual([20_000])
  await strike()
  expect(told).toEqual([both, both])
})

test('a refused version is told with its reason beside the one that runs, until another comes', async () => {
  const { running, told, reports, strike } = stage()
  running.set('a', 1)
  reports.heard(refused('a', 2))
  reports.heard(refused('new', 1))
  await strike()
  const reason = { code: 'unknown_field', message: 'no such field', pointer: '/rules/0' }
  expect(told[0]).toMatchObject([
    { zone_id: 'a', version: 1, refused: { version: 2, ...reason } },
    { zone_id: 'new', version: 0, hash: '', refused: { version: 1, ...reason } },
  ])
  running.set('a', 3)
  reports.heard(inForce('a', 3))
  reports.heard({ kind: 'gone', zone: 'new', version: 1 })
  await strike()
  expect(told[1]).toMatchObject([{ zone_id: 'a', version: 3, refused: undefined }])
})

test('while the store is away nothing breaks, and it is told afterwards', async () => {
  let away = true
  const { running, told, reports, waits, strike } = stage(() => away)
  running.set('a', 1)
  reports.heard(inForce('a', 1))
  reports.heard({ kind: 'lost', cause: new Error('away') })
  await strike()
  expect(told).toEqual([])
  away = false
  await strike()
  expect(told).toHaveLength(1)
  await reports.stop()
  expect(waits()).toEqual([])
})
