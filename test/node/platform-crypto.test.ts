import { describe, expect, test } from 'vitest'
import { createGate } from '../../src/edge/index.js'
import { platformCrypto as inWorkers } from '../../src/edge/platform-crypto.js'
import { createVerifier, importKeySet, type RsaKey } from '../../src/edge/token/index.js'
import { platformCrypto as inDeno } from '../../src/node/deno-crypto.js'
import { platformCrypto as inNode } from '../../src/node/platform-crypto.js'
import { ask, bearer, configuration, NOW, zone } from '../edge/gate/zone-fixture.js'
import { ALGS, KEYS, keyFor, makeKey, makeToken } from '../edge/token/keys.js'

describe.each([
  ['workers', inWorkers, 'webcrypto'],
  ['Node and Bun', inNode, 'node:crypto'],
  ['Deno', inDeno, 'deno'],
])('the cryptography of %s', (_runtime, platformCrypto, name) => {
  const crypto = platformCrypto()

  test('tells its name', () => {
    expect(crypto.name).toBe(name)
  })

  test.each(ALGS)('lets a gate tell good %s tokens from forged ones', async (alg) => {
    const policy = zone({ token_configurations: [configuration('A', [keyFor(alg)])] })
    const gate = createGate(policy, { crypto, now: () => NOW })
    const reasonOf = async (token: string) =>
      (await gate.decide(ask({ lines: [bearer(token)] }))).configurations[0]?.reason
    expect(await reasonOf(makeToken(keyFor(alg)))).toBe('valid')
    const [header, payload] = makeToken(keyFor(alg)).split('.')
    const [, , signature] = makeToken(keyFor(alg), { payload: { sub: 'root' } }).split('.')
    expect(await reasonOf(`${header}.${payload}.${signature}`)).toBe('bad_signature')
  })
})

test('Deno is asked at once for RSA and HMAC, and for ECDSA by its quicker WebCrypto', () => {
  const crypto = inDeno()
  const keySet = importKeySet(
    [...KEYS.values()].map(({ jwk }) => jwk),
    crypto,
  )
  const later = ALGS.filter((alg) => {
    const verdict = createVerifier({ crypto }).verify(makeToken(keyFor(alg)), keySet, NOW / 1000)
    return verdict instanceof Promise
  })
  expect(later).toEqual(['ES256', 'ES384'])
})

test('a key that the runtime does not take is named', () => {
  const { jwk } = makeKey('RS256', 'mine')
  const key = { alg: 'RS256', kid: 'mine', kty: 'RSA', n: String(jwk['n']) } as RsaKey
  expect(() => inDeno().importKey(key)).toThrow(/^Deno cannot use the key mine for RS256: /)
})
