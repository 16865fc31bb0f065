import { expect, test, vi } from 'vitest'
import { briefly } from '../../../src/node/serve/briefly.js'

test('quick work is done when its caller goes on', async () => {
  let done = 0
  const run = briefly(async () => void done++, 50)
  await run()
  await run()
  expect(done).toBe(2)
})

test('slow work holds up no caller for long, the next one not at all, and is done all the same', async () => {
  vi.useFakeTimers()
  try {
    let done = 0
    let takes = 1000
    const run = briefly(async () => {
      await new Promise((resolve) => setTimeout(resolve, takes))
      done++
    }, 50)
    const start = Date.now()
    const held = run()
    await vi.advanceTimersByTimeAsync(50)
    await held
    expect([done, Date.now() - start]).toEqual([0, 50])
    await vi.advanceTimersByTimeAsync(1000)
    expect(done).toBe(1)
    takes = 1
    await run()
    expect(done).toBe(1)
    await vi.advanceTimersByTimeAsync(10)
    expect(done).toBe(2)
    const again = run()
    await vi.advanceTimersByTimeAsync(1)
    await again
    expect(done).toBe(3)
  } finally {
    vi.useRealTimers()
  }
})
