import { describe, expect, test } from 'vitest'

/** The benchmark is plain JavaScript, without declarations. */
const load = (file: string, folder = 'page') =>
  import(new URL(`../../bench/${folder}/${file}`, import.meta.url).href)
const { checkBounds } = await load('check-bounds.mjs')
const { share, shareRange, withRatios } = await load('compare-rows.mjs', 'measure')
const { figure } = await load('figure.mjs', 'measure')
const { isBound } = await load('is-bound.mjs')
const { page } = await load('page.mjs')
const { plot } = await load('plot.mjs')

const NODE = { id: 'node', name: 'Node', version: '20.20.2' }

/** A row whose CPU time was so much in each round. */
const row = (name: string, rounds: readonly number[], kind?: string) => ({
  group: 'g',
  name,
  kind,
  rounds,
  cpu_us: rounds.toSorted((one, other) => one - other)[rounds.length >> 1],
  ratio: 1,
})

const FLOOR = row('floor', [10, 20, 30], 'floor')
const OURS = row('ours', [12, 22, 32], 'ours')
const NEAR = row(
  'near',
  OURS.rounds.map((us) => us * 1.0004),
)
const EVEN = row('even', [9, 21, 33])
const FAST = row('fast', [11, 21, 31], 'peer')
const SLOW = row('slow', [15, 25, 40], 'peer')

const resultOf = (...rows: readonly object[]) => [{ suite: 'verify', runtime: NODE, rows }]
const at = (name: string) => ['verify', 'g', name]
const boundOf = (bound: object) => ({ what: 'w', on: ['Node 20'], ...bound })

describe('a bound', () => {
  test.each([
    ['a number within it', { row: at('ours'), atMost: 22 }, '22.0 µs', true],
    ['a number beyond it', { row: at('ours'), atMost: 21.9 }, '22.0 µs', false],
    ['a number beyond it by little', { row: at('ours'), atMost: 21.97 }, '22.00 µs', false],
    ['a number that may not be less', { row: at('ours'), atLeast: 23 }, '22.0 µs', false],
    [
      'an excess, round by round',
      { row: at('ours'), over: at('floor'), atMost: 2 },
      '+2.00 µs',
      true,
    ],
    [
      'a share, round by round, and between what it may be',
      { row: at('ours'), partOf: at('floor'), atMost: 1 },
      '1.1000x (1.0667 to 1.2000)',
      false,
    ],
    [
      'a share beyond it by less than the rounds can tell',
      { row: at('even'), partOf: at('floor'), atMost: 1 },
      '1.0500x (0.9000 to 1.1000)',
      false,
    ],
    [
      'a share within it',
      { row: at('floor'), partOf: at('even'), atMost: 1 },
      '0.9524x (0.9091 to 1.1111)',
      true,
    ],
    [
      'a share beyond it by less than a thousandth',
      { row: at('near'), partOf: at('ours'), atMost: 1 },
      '1.0004x (1.0004 to 1.0004)',
      false,
    ],
    ['a row that nobody measured', { row: at('elsewhere'), atMost: 1 }, 'not measured', undefined],
  ])('says of %s what it is', (_, bound, measured, holds) => {
    const [found] = checkBounds(resultOf(FLOOR, OURS, EVEN, NEAR), { bounds: [boundOf(bound)] })
    expect(found).toMatchObject({ measured, holds })
  })

  test('takes from 52 rounds what is between the 26th and the 27th, which may be from the 19th to the 34th', () => {
    const counted = row(
      'counted',
      Array.from({ length: 52 }, (_, round) => 52 - round),
    )
    const ones = row('ones', Array(52).fill(1))
    expect(shareRange(counted, ones)).toEqual({ low: 19, high: 34 })
    expect(share(counted, ones)).toBe(26.5)
  })

  test.each([
    ['the quiet ones of both rows, where there are five', 5, 1],
    ['all, where there are fewer', 4, 2],
  ])('counts of the rounds %s', (_, quietOnes, expected) => {
    const quiet = Array.from({ length: 12 }, (__, round) => round < quietOnes + 1)
    const ours = {
      ...row(
        'ours',
        quiet.map((is) => (is ? 1 : 2)),
      ),
      quiet,
    }
    const other = { ...row('other', Array(12).fill(1)), quiet: [false, ...Array(11).fill(true)] }
    expect(share(ours, other)).toBe(expected)
  })

  test('goes by the ratios of the tables too: shares of the first row, round by round', () => {
    const first = row('first', [10, 10, 20, 20, 20])
    // Slow and quick moments fall so that the medians of both are alike.
    const other = row('other', [12, 12, 20, 24, 24])
    expect(withRatios([first, other])).toMatchObject([{ ratio: 1 }, { ratio: 1.2 }])
  })

  test.each([
    ['a time, which is what it is', { row: at('ours'), atMost: 11 }, '11.0 µs', false, true],
    ['an excess', { row: at('ours'), over: at('floor'), atMost: 0.9 }, '+1.00 µs', false, false],
    ['no share', { row: at('ours'), partOf: at('floor'), atMost: 2 }, undefined, true, undefined],
  ])('tells of a machine that takes twice as long %s', (_, bound, paced, holds, holdsPaced) => {
    const options = { bounds: [boundOf(bound)], pace: 2 }
    const [found] = checkBounds(resultOf(FLOOR, OURS), options)
    expect([found.paced, found.holds, found.holdsPaced]).toEqual([paced, holds, holdsPaced])
  })

  test('is not measured on a runtime that was not there', () => {
    const bounds = [{ what: 'w', on: ['Bun'], row: at('ours'), atMost: 100 }]
    expect(checkBounds(resultOf(OURS), { bounds })).toMatchObject([{ on: 'Bun', holds: undefined }])
  })

  test.each([
    ['holds against slower peers', [OURS, SLOW], '0.8000x (0.8000 to 0.8800) of slow (g)', true],
    [
      'names the peer that was faster',
      [OURS, SLOW, FAST],
      '1.0476x (1.0323 to 1.0909) of fast (g)',
      false,
    ],
    [
      'counts a tie as no victory',
      [OURS, { ...OURS, name: 'same', kind: 'peer' }],
      '1.0000x (1.0000 to 1.0000) of same (g)',
      false,
    ],
  ])('of being faster %s', (_, rows, measured, holds) => {
    const bounds = [boundOf({ fasterThanPeersIn: 'verify' })]
    expect(checkBounds(resultOf(...rows), { bounds })).toMatchObject([{ measured, holds }])
  })
})

describe('a suite', () => {
  const bun = { id: 'bun', name: 'Bun', version: '1.4.5' }

  test.each([
    [
      'is measured in full where a bound is about it',
      { name: 'verify', everywhere: true },
      bun,
      true,
    ],
    ['is not on other runtimes', { name: 'rejects', everywhere: true }, bun, false],
    ['is not when no bound is about it', { name: 'webcrypto', everywhere: true }, NODE, false],
    ['is when it says itself where it ran', { name: 'workerd' }, NODE, true],
  ])('%s', (_, suite, runtime, isFull) => {
    expect(isBound(suite, runtime)).toBe(isFull)
  })
})

test.each([
  [999.6, '1,000'],
  [9.996, '10.0'],
  [99.96, '100'],
  [0.004, '0.004'],
  [0, '0.00'],
])('%f has three digits that count', (value, expected) => {
  expect(figure(value)).toBe(expected)
})

describe('the page', () => {
  const all = (results: readonly object[]) => ({
    date: '2026-01-02T03:04:05.000Z',
    minutes: 1,
    machine: { cpu: 'a processor', cores: 2, memory_gb: 8, system: 'Linux' },
    versions: { jose: '6.0.0', nginx: undefined },
    runtimes: [NODE, { id: 'bun', name: 'Bun', version: undefined }],
    results,
  })

  test('says what was slower than a peer', () => {
    const text = page(all(resultOf(OURS, FAST)), 'plot.svg')
    expect(text).toContain(
      'g, Node 20: ours took 22.0 µs, fast took 21.0 µs: 1.0476x (1.0323 to 1.0909).',
    )
  })

  test.each([
    [2, 1.6, '1.60 µs | 0.80 µs | **does not hold**, at that pace it does |'],
    [2, 1.8, '1.80 µs | 0.90 µs | **does not hold** |'],
    [0.5, 0.7, '0.70 µs | 1.40 µs | holds, at that pace it does not |'],
  ])(
    'says that the machine took %f times as long, and holds bounds to what was measured all the same',
    (pace, us, cells) => {
      const rowOf = (group: string, name: string, took: number) => ({ ...row(name, [took]), group })
      const verify = [
        rowOf('RS256, valid', 'node:crypto alone', 16.8 * pace),
        rowOf('ES256, valid', 'node:crypto alone', 45.7 * pace),
        rowOf('HS256, valid', 'fast-jwt', (5.29 * pace) / 2),
      ]
      const decide = [
        rowOf('warm', 'fast-jwt, cached verify alone', 2.35 * pace * 2),
        rowOf('warm', '100 operations, 10 rules', us),
        rowOf('warm', '10 operations, 2 rules', us),
      ]
      const results = Object.entries({ verify, decide }).map(([suite, rows]) => ({
        suite,
        runtime: NODE,
        rows,
      }))
      const text = page(all(results), 'plot.svg')
      expect(text).toContain(`RS256 by \`node:crypto\` ${figure(16.8 * pace)}, `)
      expect(text).toContain(`: ${pace.toFixed(2)}x as long`)
      expect(text).toContain(`| Node 20 | 0.8 µs | ${cells}`)
    },
  )

  test('says nothing of that where it was not measured', () => {
    expect(page(all(resultOf(OURS)), 'plot.svg')).not.toContain('at that pace')
  })

  test('says so when nothing was', () => {
    const text = page(all(resultOf(OURS, SLOW)), 'plot.svg')
    expect(text).toContain('Nothing was slower than a peer in this run.')
  })

  test('keeps the other suites when one fails, and says which', () => {
    const failed = { suite: 'cache', runtime: NODE, rows: [], failed: 'it ended with 1' }
    const text = page(all([...resultOf(OURS), failed]), 'plot.svg')
    expect(text).toContain('**Failed** on Node 20: it ended with 1.')
    expect(text).toMatch(/\| ours \|/)
  })

  test('names what was not installed', () => {
    const text = page(all([]), 'plot.svg')
    expect(text).toContain('| nginx | not installed |')
    expect(text).toContain('| bun | not installed |')
  })

  test('has a plot for readers in the light and in the dark', () => {
    const ours = { ...OURS, group: 'RS256, valid', name: 'portcullis', ratio: 1.2 }
    const picture = plot(resultOf({ ...ours, name: 'portcullis, claims read', ratio: 1.3 }, ours))
    expect(picture).toContain('prefers-color-scheme: dark')
    expect(picture).toContain('>1.20x</text>')
  })
})
