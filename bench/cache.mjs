import { createVerifier as createFastVerifier } from 'fast-jwt'
import { LRUCache } from 'lru-cache'
import { createVerdictCache, createVerifier, importKeySet } from 'portcullis'
import { nodeCrypto } from 'portcullis/node'
import { measure } from './measure/measure.mjs'
import { fresh, makeKey, makeTokens, spoil } from './subjects/tokens.mjs'

const LIVE = 1000
const ENTRIES = 4096

/**
 * A thousand live ES256 tokens met again, each in a string never seen before: what a hit costs with
 * this project's table, with other keys and containers, and with fast-jwt's cache.
 */
export async function run() {
  const key = makeKey('ES256')
  const tokens = makeTokens(key, LIVE)
  const next = fresh(tokens)
  const now = () => Date.now() / 1000
  const crypto = nodeCrypto()
  const keySet = importKeySet([key.jwk], crypto)
  const plain = createVerifier({ crypto })
  const verdictOf = (token) => plain.verify(token, keySet, now())
  const cached = createVerifier({ crypto, cache: createVerdictCache({ entries: ENTRIES }) })
  const pem = key.publicKey.export({ type: 'spki', format: 'pem' })
  const fastJwt = (options) =>
    createFastVerifier({ key: pem, algorithms: ['ES256'], cache: ENTRIES, ...options })
  const hashed = fastJwt({})
  const whole = fastJwt({ cacheKeyBuilder: (token) => token })

  // What follows does everything a hit must do: find, compare, and look at the time again.
  const byToken = (map) => {
    for (const token of tokens) map.set(token, verdictOf(token))
    return (token) => {
      const verdict = map.get(token)
      return verdict !== undefined && verdict.claims.exp + 60 > now() ? verdict : undefined
    }
  }
  const byTail = (map) => {
    for (const token of tokens) map.set(token.slice(-24), [token, verdictOf(token)])
    return (token) => {
      const entry = map.get(token.slice(-24))
      if (entry === undefined || entry[0] !== token) return undefined
      return entry[1].claims.exp + 60 > now() ? entry[1] : undefined
    }
  }
  const candidates = [
    ['harness: the string alone', 'harness', (token) => token],
    ['portcullis: verify, cached', 'ours', (token) => cached.verify(token, keySet, now()).claims],
    ['Map by the whole token', 'peer', byToken(new Map())],
    ['lru-cache by the whole token', 'peer', byToken(new LRUCache({ max: ENTRIES }))],
    ['Map by the last 24 characters', 'peer', byTail(new Map())],
    ['lru-cache by the last 24 characters', 'peer', byTail(new LRUCache({ max: ENTRIES }))],
    ['fast-jwt: verify, cached by hash', 'peer', hashed],
    ['fast-jwt: verify, cached by token', 'peer', whole],
  ]
  const hits = await measure(
    'good tokens',
    candidates.map(([name, kind, find]) => {
      for (const token of tokens) find(token)
      return { name, kind, run: (i) => find(next(i)), verify: (found) => assertFound(found, name) }
    }),
  )

  const spoilt = tokens.map(spoil)
  const bad = fresh(spoilt)
  const rejecting = createVerifier({ crypto, cache: createVerdictCache({ rejected: ENTRIES }) })
  // Remembered from the second time on.
  for (const token of spoilt)
    for (let time = 0; time < 2; time++) rejecting.verify(token, keySet, now())
  const statusOf = (verifier) => (i) => verifier.verify(bad(i), keySet, now()).status
  const rejected = await measure('tokens with a bad signature', [
    { name: 'portcullis, not cached', run: statusOf(plain), verify: assertRejected },
    { name: 'portcullis, cached', kind: 'ours', run: statusOf(rejecting), verify: assertRejected },
  ])
  return { rows: [...hits, ...rejected] }
}

function assertFound(found, name) {
  if (found === undefined || found === null) throw new Error(`${name} lost a token`)
}

function assertRejected(status) {
  if (status !== 'bad_signature') throw new Error(`a spoilt token is ${status}`)
}
