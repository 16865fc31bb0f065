import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { seldomUnknownKeys } from '../../../src/node/workers/seldom-unknown-keys.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const report = { configuration_id: 'c', keys: [{ alg: 'ES256', kid: 'a' }] } as const

test.each([
  ['back', -3_600_000, 59_000, 1],
  ['back', -3_600_000, 60_000, 2],
  ['forward', 3_600_000, 59_000, 1],
])(
  'a clock that is put %s (by %i ms) changes nothing: after %i ms a key was told of %i times',
  async (_, jump, waited, times) => {
    const told = vi.fn()
    const hear = seldomUnknownKeys(told, () => performance.now())
    hear('z', report)
    await vi.advanceTimersByTimeAsync(20)
    expect(told).toHaveBeenCalledTimes(1)
    vi.setSystemTime(Date.now() + jump)
    await vi.advanceTimersByTimeAsync(waited)
    hear('z', report)
    await vi.advanceTimersByTimeAsync(20)
    expect(told).toHaveBeenCalledTimes(times)
  },
)
