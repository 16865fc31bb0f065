import { expect, test } from 'vitest'

/** The benchmark is plain JavaScript, without declarations. */
const load = (file: string) => import(new URL(`../../bench/subjects/${file}`, import.meta.url).href)
const { makeKey, makeToken, spoil } = await load('tokens.mjs')
const { verifiersOf } = await load('verifiers.mjs')

interface Named {
  readonly name: string
  readonly kind: string
  readonly verify: (token: string) => boolean | Promise<boolean>
}

const key = makeKey('HS256')
const token = makeToken(key)

test.each([
  ['good tokens', true, ['portcullis', 'portcullis, claims read']],
  ['bad ones, of which nobody reads the claims', false, ['portcullis']],
])('what is ours is held against peers with %s', async (_, isGood, expected) => {
  const verifiers: Named[] = await verifiersOf(key, isGood)
  const own = verifiers.filter(({ kind }) => kind === 'ours')
  expect(own.map(({ name }) => name)).toEqual(expected)
})

test('every verifier says what is good', async () => {
  for (const { name, verify } of (await verifiersOf(key)) as Named[])
    expect([name, await verify(token), await verify(spoil(token))]).toEqual([name, true, false])
})
