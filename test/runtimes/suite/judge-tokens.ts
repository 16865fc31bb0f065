import {
  createVerdictCache,
  createVerifier,
  importKeySet,
  KeySetError,
  verifySignature,
  weaknesses,
  type CryptoBackend,
  type KeySet,
} from '../../../src/edge/token/index.js'
import type { Input } from './input.js'

export type Line = readonly [id: string, verdict: string]

/** What a backend makes of every key set and every token, a cold time and twice with a cache. */
export async function* judgeTokens(
  { keySets, tokens }: Input,
  crypto: CryptoBackend,
): AsyncGenerator<Line> {
  const sets = new Map<string, KeySet | string>()
  for (const [name, keys] of Object.entries(keySets)) {
    const set = importOrError(keys, crypto)
    sets.set(name, set)
    const outcome = typeof set === 'string' ? set : [set.publicKeys(), set.messages]
    yield [`keys/${name}`, JSON.stringify([outcome, weaknesses(keys)])]
  }
  const cold = createVerifier({ crypto })
  const cached = createVerifier({ crypto, cache: createVerdictCache() })
  for (const { id, keys, token, now, isBare } of tokens) {
    const set = sets.get(keys)!
    if (typeof set === 'string') yield [id, 'no keys']
    else if (isBare === true) yield [id, String(await signatureOf(token, set, crypto))]
    else {
      const verdict = JSON.stringify(await cold.verify(token, set, now))
      for (const again of [1, 2]) {
        const other = JSON.stringify(await cached.verify(token, set, now))
        if (other !== verdict) yield [`${id}/cached-${again}`, other]
      }
      yield [id, verdict]
    }
  }
}

/** The verifier catches what a backend throws; here it is told. */
async function signatureOf(
  token: string,
  set: KeySet,
  crypto: CryptoBackend,
): Promise<boolean | string> {
  try {
    return await verifySignature(token, set, crypto)
  } catch (error) {
    return `unavailable: ${String(error)}`
  }
}

function importOrError(keys: unknown, crypto: CryptoBackend): KeySet | string {
  try {
    return importKeySet(keys, crypto)
  } catch (error) {
    if (error instanceof KeySetError) return JSON.stringify(error.issues)
    return `not importable: ${String(error)}`
  }
}
