import { expect, test } from 'vitest'
import {
  createUnknownKeyReports,
  type UnknownKeyReport,
} from '../../src/node/unknown-key-reports.js'

function stage(send?: () => Promise<void>) {
  let clock = 1e12
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  const sent: UnknownKeyReport[] = []
  const { heard } = createUnknownKeyReports({
    now: () => clock,
    later(milliseconds, run) {
      const timer = { at: clock + milliseconds, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    async send(report) {
      sent.push(report)
      await send?.()
    },
  })
  return {
    sent,
    hear: (...kids: string[]) => {
      for (const kid of kids) heard({ configuration_id: 'c', keys: [{ alg: 'ES256', kid }] })
    },
    async pass(milliseconds: number) {
      clock += milliseconds
      for (const timer of timers)
        if (timer.at <= clock) {
          timers.delete(timer)
          timer.run()
        }
      await Promise.resolve()
    },
  }
}

const kidsOf = (report: UnknownKeyReport | undefined) => report?.keys.map(({ kid }) => kid)

test('a key in vain is told of at once, and once a minute at most', async () => {
  const { hear, pass, sent } = stage()
  hear('a', 'a')
  await pass(20)
  hear('a')
  await pass(59_000)
  expect(sent).toEqual([{ configuration_id: 'c', keys: [{ alg: 'ES256', kid: 'a' }], more: false }])
  await pass(1000)
  hear('a')
  await pass(20)
  expect(sent).toHaveLength(2)
})

test('a flood becomes a few calls, and each says that there was more', async () => {
  const { hear, pass, sent } = stage()
  for (let second = 0; second < 100; second++) {
    hear(...Array.from({ length: 100 }, (_, at) => `${second}-${at}`))
    await pass(1000)
  }
  expect(sent.length).toBeLessThanOrEqual(12)
  for (const report of sent) {
    expect(report.keys.length).toBeLessThanOrEqual(5)
    expect(report.more).toBe(true)
  }
})

test('what did not reach management is told of again', async () => {
  const { hear, pass, sent } = stage(() => Promise.reject(new Error('away')))
  hear('a')
  await pass(20)
  await Promise.resolve()
  hear('a')
  await pass(20)
  expect(sent.map(kidsOf)).toEqual([['a'], ['a']])
})
