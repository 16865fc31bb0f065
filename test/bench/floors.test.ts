import { expect, test } from 'vitest'

/** The benchmark is plain JavaScript, without declarations. */
const load = (file: string) => import(new URL(`../../bench/subjects/${file}`, import.meta.url).href)
const { floorsOf } = await load('floors-of.mjs')
const { ALGS, makeKey, makeTokens, spoil } = await load('tokens.mjs')

interface Floor {
  readonly name: string
  readonly run: (i: number) => boolean
}

test.each(ALGS as string[])('every floor of %s says of each token whether it is good', (alg) => {
  const key = makeKey(alg)
  const good: string[] = makeTokens(key, 2)
  for (const isGood of [true, false]) {
    const floors: Floor[] = floorsOf(key, isGood ? good : good.map(spoil), isGood)
    for (const { name, run } of floors)
      expect([name, run(0), run(1)]).toEqual([name, isGood, isGood])
  }
})

test('has the quickest calls beside those that are there for it', () => {
  const key = makeKey('HS256')
  const floors: Floor[] = floorsOf(key, makeTokens(key, 1))
  expect(floors.map(({ name }) => name)).toEqual(['node:crypto alone', 'the quickest calls known'])
})
