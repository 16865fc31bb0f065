import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BETWEEN, Entries } from '../../src/management/store/entries.js'
import { Views } from '../../src/management/store/views.js'

const texts = fc.array(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 }), {
  maxLength: 60,
})

test('packed entries are those that were given, however they came', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 12 }), (lots) => {
      let entries = Entries.from([])
      for (const lot of lots) entries = entries.with(lot.join(BETWEEN))
      const all = lots.flat()
      expect(entries.length).toBe(all.length)
      expect(entries.slice(0, all.length)).toEqual(all)
    }),
    { seed: 3 },
  )
})

test('what is added is in no list that was there before', () => {
  const before = Entries.from(['a'])
  const after = before.with('b')
  expect([before.length, after.length]).toEqual([1, 2])
})

test('ranks are told by binary search', () => {
  fc.assert(
    fc.property(texts, fc.string({ unit: 'grapheme-ascii' }), (given, text) => {
      const sorted = given.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
      const rank = sorted.filter((each) => each < text).length
      expect(Entries.from(sorted).rank(text)).toBe(rank)
    }),
    { seed: 5 },
  )
})

test('there is no entry past the last', () => {
  expect(() => Entries.from(['a']).at(1)).toThrow(RangeError)
})

const view = (version: number, letters = 1000) => ({
  version,
  entries: Entries.from(['x'.repeat(letters)]),
})

test('views that take too much memory go, those asked for longest ago first', () => {
  const views = new Views(5000)
  for (const name of ['a', 'b', 'c']) views.set(name, view(1))
  views.get('a')
  views.set('d', view(1))
  expect(['a', 'b', 'c', 'd'].filter((name) => views.get(name) !== undefined)).toEqual([
    'a',
    'c',
    'd',
  ])
})

test('a view that is larger than all may be is not kept', () => {
  const views = new Views(5000)
  views.set('a', view(1))
  views.set('b', view(1, 6000))
  expect([views.get('a')?.version, views.get('b')]).toEqual([1, undefined])
})

test('a view of an earlier state does not take the place of a later one', () => {
  const views = new Views(5000)
  views.set('a', view(2))
  views.set('a', view(1))
  expect(views.get('a')?.version).toBe(2)
})
