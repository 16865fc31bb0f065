import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BURST, INTERVAL, take } from '../../../src/management/key-sets/budget.js'
import { ABSENT_FOR, ANY_KEY, createDemand } from '../../../src/management/key-sets/demand.js'

const found = (...keys: string[]) => new Set(keys)

test('any number of unknown keys is one wish', () => {
  const demand = createDemand()
  expect(demand.dueAt).toBeUndefined()
  for (let at = 0; at < 50; at++) demand.ask(`k${at}`, 0)
  expect(demand.dueAt).toBe(0)
  demand.begin()
  expect(demand.dueAt).toBeUndefined()
  demand.end(found(), 1)
  expect(demand.dueAt).toBeUndefined()
})

test('what a fetch did not bring is not asked for again for five minutes', () => {
  const demand = createDemand()
  demand.ask('a', 0)
  demand.begin()
  demand.end(found('b'), 1)
  demand.ask('a', ABSENT_FOR)
  expect(demand.dueAt).toBeUndefined()
  demand.ask('a', ABSENT_FOR + 1)
  expect(demand.dueAt).toBe(0)
})

test('a fetch that failed says nothing of what it was to bring', () => {
  const demand = createDemand()
  demand.ask('a', 0)
  demand.begin()
  demand.end(undefined, 1)
  expect(demand.dueAt).toBeUndefined()
  demand.ask('a', 2)
  expect(demand.dueAt).toBe(0)
})

test('what is asked for during a fetch needs another one', () => {
  const demand = createDemand()
  demand.ask('a', 0)
  demand.begin()
  demand.ask('b', 1)
  demand.end(found(), 2)
  expect(demand.dueAt).toBe(0)
})

test('what is known by now needs none', () => {
  const demand = createDemand()
  demand.ask('a', 0)
  demand.known(found('a', 'b'))
  expect(demand.dueAt).toBeUndefined()
})

test('some key that is not named is never known to be absent', () => {
  const demand = createDemand()
  demand.ask(ANY_KEY, 0)
  demand.begin()
  demand.end(found(), 1)
  demand.ask(ANY_KEY, 2)
  expect(demand.dueAt).toBe(0)
})

test('memory is bounded, and what is forgotten is only asked for again', () => {
  const demand = createDemand()
  for (let at = 0; at < 5000; at++) {
    demand.ask(`k${at}`, at)
    demand.begin()
    demand.end(found(), at)
  }
  demand.ask('k4999', 5000)
  expect(demand.dueAt).toBeUndefined()
  demand.ask('k0', 5000)
  expect(demand.dueAt).toBe(0)
})

/** What happens in turn: time passes, and a token with a made-up key comes, or many. */
const STEPS = fc.array(
  fc.record({
    pause: fc.integer({ min: 0, max: 3_000_000 }),
    garbage: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 8 }),
  }),
  { minLength: 1, maxLength: 200 },
)
const FETCH = fc.integer({ min: 0, max: 2_000_000 })

/** Plays tokens against an issuer that publishes `real` at a time, with fetches that take a while. */
function play(
  steps: readonly { readonly pause: number; readonly garbage: readonly number[] }[],
  publishedAt: number,
  fetchTakes: number,
): { readonly fetches: readonly number[]; readonly waited: number | undefined } {
  const demand = createDemand()
  const fetches: number[] = []
  let known: ReadonlySet<string> = new Set()
  let [at, level] = [1e15, 0]
  const publishes = at + publishedAt
  let under: { readonly end: number; readonly keys: ReadonlySet<string> } | undefined
  let wantedSince: number | undefined
  let waited: number | undefined

  /** Runs what is due until a time, in order. */
  function until(end: number): void {
    for (;;) {
      const due = under?.end ?? (demand.dueAt === undefined ? Infinity : Math.max(at, demand.dueAt))
      if (due > end) break
      at = due
      if (under === undefined) begin()
      else finish(under.keys)
    }
    at = end
  }
  function begin(): void {
    const taken = take(level, at)
    if ('wait' in taken) return demand.delay(at + taken.wait)
    ;({ level } = taken)
    fetches.push(at)
    demand.begin()
    under = { end: at + fetchTakes, keys: new Set(at >= publishes ? ['real'] : []) }
  }
  function finish(keys: ReadonlySet<string>): void {
    under = undefined
    known = keys
    demand.end(keys, at)
    if (keys.has('real') && wantedSince !== undefined) waited ??= at - wantedSince
  }

  for (const { pause, garbage } of steps) {
    until(at + pause)
    for (const one of garbage) demand.ask(`garbage ${one}`, at)
    if (at >= publishes && !known.has('real')) {
      wantedSince ??= at
      demand.ask('real', at)
    }
  }
  until(at + 60_000_000)
  return { fetches, waited: wantedSince === undefined ? 0 : waited }
}

test('whatever made-up keys come, a new one waits for one interval at most, and two fetches', () => {
  fc.assert(
    fc.property(STEPS, fc.nat(100_000_000), FETCH, (steps, publishedAt, fetchTakes) => {
      const { waited } = play(steps, publishedAt, fetchTakes)
      expect(waited).toBeLessThanOrEqual(INTERVAL + 2 * fetchTakes)
    }),
    { numRuns: 300 },
  )
})

test('whatever made-up keys come, no more is fetched than the budget has', () => {
  fc.assert(
    fc.property(STEPS, FETCH, (steps, fetchTakes) => {
      const { fetches } = play(steps, 0, fetchTakes)
      for (const [from, first] of fetches.entries())
        for (const [more, last] of fetches.slice(from).entries())
          expect(more + 1).toBeLessThanOrEqual(BURST + Math.floor((last - first) / INTERVAL))
    }),
    { numRuns: 300 },
  )
})
