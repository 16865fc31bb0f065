import { expect, test } from 'vitest'

/** The benchmark is plain JavaScript, without declarations. */
const load = (file: string) => import(new URL(`../../bench/subjects/${file}`, import.meta.url).href)
const { ALGS, makeKey, makeToken, spoil } = await load('tokens.mjs')
const { verifiersOf } = await load('verifiers.mjs')

interface Named {
  readonly name: string
  readonly kind: string
  readonly verify: (token: string) => boolean | Promise<boolean>
}

const key = makeKey('ES256')

test.each([
  ['good tokens', true, ['portcullis', 'portcullis, claims read']],
  ['bad ones, of which nobody reads the claims', false, ['portcullis']],
])('what is ours is held against peers with %s', async (_, isGood, expected) => {
  const verifiers: Named[] = await verifiersOf(key, isGood)
  const own = verifiers.filter(({ kind }) => kind === 'ours')
  expect(own.map(({ name }) => name)).toEqual(expected)
})

test.each(ALGS as string[])('every verifier says of %s what is good', async (alg) => {
  const one = makeKey(alg)
  const good = makeToken(one)
  const bad = [spoil(good), makeToken(one, 0, { expires: -3600 })]
  for (const { name, verify } of (await verifiersOf(one)) as Named[]) {
    const said = await Promise.all([good, ...bad].map(verify))
    expect([name, ...said]).toEqual([name, true, false, false])
  }
})
