import { expect, test } from 'vitest'
import { createVerdictCache, createVerifier, importKeySet } from '../../../src/edge/token/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { encode, keyFor, makeToken } from './keys.js'

const NOW = 1_700_000_000
const GOOD = 1000
const JUNK = 20_000
const key = keyFor('HS256')
const header = encode({ alg: key.alg, kid: key.kid })

/** Distinct bad tokens of every kind a stranger can make without a key. */
function junk(i: number): string {
  const payload = encode({ i, exp: NOW + 60 })
  const signature = encode(new Uint8Array(32).fill(i).fill(i >> 8, 0, 16))
  return [
    `${header}.${payload}.${signature}`,
    `${encode({ alg: key.alg, kid: `nobody ${i}` })}.${payload}.${signature}`,
    `${header}.${encode({ i, exp: 1 })}.${signature}`,
    `${header}.${encode(`${i} is no claim`)}.${signature}`,
    `${header}.${payload}.${signature}=`,
    `${header}.${encode({ i, long: 'x'.repeat(5000) })}.${signature}`,
  ][i % 6]!
}

test('a flood of distinct bad tokens costs no good token its place, and no memory beyond the bounds', () => {
  const crypto = nodeCrypto()
  const keySet = importKeySet([key.jwk], crypto)
  const cache = createVerdictCache()
  const { verify } = createVerifier({ crypto, cache })
  const good = Array.from({ length: GOOD }, (_, i) => makeToken(key, { payload: { i } }))
  for (const token of good) expect(verify(token, keySet, NOW).status).toBe('valid')
  const before = cache.stats()
  expect(before).toMatchObject({ entries: GOOD, rejectedEntries: 0, hits: 0 })

  let refused = 0
  for (let i = 0; i < JUNK; i++) {
    if (verify(junk(i), keySet, NOW).status !== 'valid') refused++
    verify(good[i % GOOD]!, keySet, NOW)
  }
  expect(refused).toBe(JUNK)
  const after = cache.stats()
  expect(after.hits).toBe(JUNK)
  expect(after.entries).toBeGreaterThanOrEqual(GOOD)
  expect(after.entries).toBeLessThanOrEqual(2 * GOOD)
  expect(after.rejectedEntries).toBeLessThanOrEqual(1024)
  expect(after.bytes).toBeLessThanOrEqual(2 * before.bytes + 1024 * 1024)
})
