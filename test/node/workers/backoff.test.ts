import { expect, test } from 'vitest'
import { createBackoff } from '../../../src/node/workers/backoff.js'

test.each([
  ['one that worked is replaced at once', [60_000], [0]],
  ['one that ends soon is waited for', [0], [100]],
  ['twice as long each time', [5, 300, 9000], [100, 200, 400]],
  [
    'but never longer than 5 s',
    Array(9).fill(1),
    [100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000],
  ],
  ['and from the beginning after one that worked', [1, 1, 10_001, 1, 1], [100, 200, 0, 100, 200]],
])('workers that end: %s', (_, livedMs, pausesMs) => {
  expect(livedMs.map(createBackoff())).toEqual(pausesMs)
})
