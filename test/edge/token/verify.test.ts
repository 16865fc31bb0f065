import { describe, expect, test } from 'vitest'
import {
  createVerifier,
  importKeySet,
  webCrypto,
  type CryptoBackend,
} from '../../../src/edge/token/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { ALGS, KEYS, keyFor, makeToken } from './keys.js'

const NOW = 1_700_000_000

const BACKENDS: readonly CryptoBackend[] = [nodeCrypto(), webCrypto()]

describe.each(BACKENDS.map((crypto) => [crypto.name, crypto] as const))(
  'on %s',
  (_name, crypto) => {
    const verifier = createVerifier({ crypto })
    const keySet = importKeySet(
      [...KEYS.values()].map(({ jwk }) => jwk),
      crypto,
    )

    test.each(ALGS)('a good %s token is valid and gives its claims', async (alg) => {
      const verdict = await verifier.verify(makeToken(keyFor(alg)), keySet, NOW)
      expect(verdict).toEqual({
        status: 'valid',
        key: { alg, kid: `kid-${alg}` },
        claims: { sub: 'alice' },
        claimsText: '{"sub":"alice"}',
      })
    })
  },
)
