import { expect, test } from 'vitest'
import { BURST, INTERVAL, take } from '../../../src/management/key-sets/budget.js'
import { lifetimeOf } from '../../../src/management/key-sets/lifetime.js'
import type { KeySetRow } from '../../../src/management/key-sets/stored-key-sets.js'
import { MAX_STALE, refreshAt, retryAt } from '../../../src/management/key-sets/timetable.js'

const NOW = Date.parse('2026-01-31T12:00:00Z')
const DAY = 86_400

test.each<[string, Record<string, string>, number]>([
  ['nothing said', {}, 600],
  ['max-age', { 'cache-control': 'public, max-age=3600' }, 3600],
  ['max-age, quoted, in capitals', { 'cache-control': 'Max-Age="3600"' }, 3600],
  ['max-age less age', { 'cache-control': 'max-age=3600', age: '600' }, 3000],
  ['too short', { 'cache-control': 'max-age=1' }, 60],
  ['zero', { 'cache-control': 'max-age=0, must-revalidate' }, 60],
  ['older than it may be', { 'cache-control': 'max-age=60', age: '900' }, 60],
  ['too long', { 'cache-control': 'max-age=31536000' }, DAY],
  ['beyond all numbers', { 'cache-control': 'max-age=999999999999' }, DAY],
  ['no number', { 'cache-control': 'max-age=soon' }, 600],
  ['no-store', { 'cache-control': 'no-store, max-age=3600' }, 60],
  ['no-cache', { 'cache-control': 'no-cache' }, 60],
  ['expires', { expires: 'Sat, 31 Jan 2026 13:00:00 GMT' }, 3600],
  [
    'expires by the clock of the issuer',
    { expires: 'Sat, 31 Jan 2026 10:00:00 GMT', date: 'Sat, 31 Jan 2026 09:30:00 GMT' },
    1800,
  ],
  ['expired', { expires: 'Thu, 01 Jan 2026 00:00:00 GMT' }, 60],
  ['expires 0', { expires: '0' }, 60],
  [
    'max-age beats expires',
    { expires: 'Sat, 31 Jan 2026 13:00:00 GMT', 'cache-control': 'max-age=120' },
    120,
  ],
])('an answer is fresh as long as its headers say: %s', (_, headers, seconds) => {
  expect(lifetimeOf(new Headers(headers), NOW) / 1000).toBe(seconds)
})

test('a fresh set is fetched again before it is stale, not all at one time', () => {
  expect(refreshAt(0, 600e6, 0)).toBe(450e6)
  expect(refreshAt(0, 600e6, 1)).toBe(570e6)
})

const row = (fetched_at: number | null, keys = '[{}]') => ({ fetched_at, keys }) as KeySetRow

test.each([
  [1, 5],
  [2, 10],
  [3, 20],
  [7, 320],
  [8, 600],
  [1000, 600],
])('after %d failures it is tried again in about %d s', (failures, seconds) => {
  expect(retryAt(row(null), failures, 0, 0.5)).toBe(seconds * 1e6)
  expect(retryAt(row(null), failures, 0, 0)).toBe(seconds * 0.75e6)
  expect(retryAt(row(null), failures, 0, 1)).toBe(seconds * 1.25e6)
})

test('and at the latest when its keys expire', () => {
  expect(retryAt(row(0), 100, MAX_STALE - 1e6, 0.5)).toBe(MAX_STALE)
  expect(retryAt(row(0), 100, MAX_STALE, 0.5)).toBe(MAX_STALE + 600e6)
  expect(retryAt(row(0, '[]'), 100, MAX_STALE - 1e6, 0.5)).toBe(MAX_STALE + 599e6)
})

test('the budget has a burst, then one fetch an interval, and is never more than full', () => {
  let level = 0
  const spend = (at: number) => {
    const taken = take(level, at)
    if ('level' in taken) ({ level } = taken)
    return 'wait' in taken ? taken.wait : 0
  }
  const start = 1e15
  expect(Array.from({ length: BURST }, () => spend(start))).toEqual([0, 0, 0])
  expect(spend(start)).toBe(INTERVAL)
  expect(spend(start + INTERVAL - 1)).toBe(1)
  expect(spend(start + INTERVAL)).toBe(0)
  expect(spend(start + INTERVAL)).toBe(INTERVAL)
  const later = start + 1000 * INTERVAL
  expect(Array.from({ length: BURST + 1 }, () => spend(later))).toEqual([0, 0, 0, INTERVAL])
})
