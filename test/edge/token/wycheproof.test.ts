import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  importKeySet,
  KeySetError,
  verifySignature,
  webCrypto,
  weaknesses,
  type CryptoBackend,
  type KeySet,
} from '../../../src/edge/token/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'

interface Vector {
  readonly tcId: number
  readonly comment: string
  readonly jws?: unknown
  readonly result: 'valid' | 'invalid' | 'acceptable'
}
type Jwk = Readonly<Record<string, unknown>>
interface Group {
  readonly comment: string
  readonly private?: Jwk
  readonly public?: Jwk
  readonly tests: readonly Vector[]
}

const FOLDER = new URL('../../../../shared/vectors/wycheproof/', import.meta.url)
const IS_PRESENT = existsSync(FOLDER)
const BACKENDS: readonly CryptoBackend[] = [nodeCrypto(), webCrypto()]

/** Where the project's outcome differs from the mark of the vector, and why. */
const EXCEPTIONS = {
  signature: new Map([
    [367, 'accepted: byte for byte the token of 357, which is marked valid'],
    [370, 'accepted: byte for byte the token of 357, which is marked valid'],
    [372, 'refused: a "?" in the header segment, valid for a lenient decoder only'],
    [373, 'refused: a "?" in the payload segment, valid for a lenient decoder only'],
    [346, 'refused: a PS384 token, the key is declared PS256'],
    [350, 'refused: a PS384 token, the key is declared PS256'],
    [347, 'refused: ES512 is outside of the algorithm list'],
    [351, 'refused: ES512 is outside of the algorithm list'],
  ]),
  key: new Map([
    [1, 'accepted: a set may mix kinds of keys, each bound to its own alg'],
    [7, 'accepted: a ROCA key is reported as a weakness'],
  ]),
  crypto: new Map([
    [46, 'accepted: a ROCA key is reported as a weakness'],
    [47, 'accepted: a set may mix kinds of keys, each bound to its own alg'],
  ]),
}

describe.skipIf(!IS_PRESENT).each(BACKENDS.map((crypto) => [crypto.name, crypto] as const))(
  'Wycheproof on %s',
  (_name, crypto) => {
    test.each(['signature', 'key', 'crypto'] as const)(
      'json_web_%s agrees except for the listed cases',
      async (file) => {
        const surprises: string[] = []
        const differing = new Set<number>()
        for (const group of groupsOf(file)) {
          const keySet = keySetOf(group, crypto)
          for (const { tcId, jws, result, comment } of group.tests) {
            // What is no compact serialization is handed over as its JSON text.
            const token = typeof jws === 'string' ? jws : (JSON.stringify(jws) ?? '')
            const isGood = keySet !== undefined && (await verifySignature(token, keySet, crypto))
            if (isGood === (result === 'valid')) continue
            differing.add(tcId)
            if (!EXCEPTIONS[file].has(tcId)) surprises.push(`${tcId} ${result}: ${comment}`)
          }
        }
        expect(surprises).toEqual([])
        expect(differing).toEqual(new Set(EXCEPTIONS[file].keys()))
      },
    )

    test('the ROCA key of the vectors is reported', () => {
      const group = groupsOf('key').find(({ comment }) => comment === 'jws_rsa_roca_key')!
      expect(weaknesses([withoutPrivate(keysOf(group)[0]!)])).toMatchObject([
        { code: 110103, pointer: '/keys/0/n' },
      ])
    })
  },
)

test.skipIf(IS_PRESENT)('the Wycheproof vectors are not here, so they were skipped', () => {
  expect(IS_PRESENT).toBe(false)
})

/** Groups of one file. Encrypted tokens (JWE) are left out: the project knows none. */
function groupsOf(file: string): readonly Group[] {
  const text = readFileSync(new URL(`json_web_${file}_test.json`, FOLDER), 'utf8')
  const { testGroups } = JSON.parse(text) as { testGroups: readonly Group[] }
  return testGroups.filter(({ comment }) => !comment.startsWith('jwe'))
}

function keysOf(group: Group): readonly Jwk[] {
  const source = group.public ?? group.private!
  return Array.isArray(source['keys']) ? (source['keys'] as Jwk[]) : [source]
}

/** The vectors give private keys; what is under test gets the public part. */
function withoutPrivate(jwk: Jwk): Jwk {
  const hidden = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi'])
  return Object.fromEntries(Object.entries(jwk).filter(([name]) => !hidden.has(name)))
}

function keySetOf(group: Group, crypto: CryptoBackend): KeySet | undefined {
  try {
    return importKeySet(keysOf(group).map(withoutPrivate), crypto)
  } catch (error) {
    if (error instanceof KeySetError) return undefined
    throw error
  }
}
