import { expect, test } from 'vitest'

/** The benchmark is plain JavaScript, without declarations. */
const load = (file: string) => import(new URL(`../../bench/subjects/${file}`, import.meta.url).href)
const { ALGS, makeKey, makeToken, spoil } = await load('tokens.mjs')
const { REFUSED } = await load('refused-tokens.mjs')
const { verifiersByKid } = await load('verifiers-by-kid.mjs')
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

test('those that look their key up take a good token, and one of an unknown kid they do not', async () => {
  const unknown = REFUSED.get('unknown kid').make(undefined, key, 0)
  const verifiers: Named[] = verifiersByKid(key)
  expect(verifiers.map(({ name }) => name.split(',')[0])).toEqual([
    'jose',
    'fast-jwt',
    'jsonwebtoken',
    'hono/jwt',
    'aws-jwt-verify',
  ])
  for (const { name, verify } of verifiers) {
    const said = await Promise.all([makeToken(key), unknown].map(verify))
    expect([name, ...said]).toEqual([name, true, false])
  }
})
