import { createGate, createVerdictCache, webCrypto } from 'portcullis'
import { measure } from './measure/measure.mjs'
import { bareWebCrypto } from './subjects/bare-web-crypto.mjs'
import { expectAction, requestsOf } from './subjects/requests-of.mjs'
import { ALGS, fresh, freshLines, makeKey, makeTokens } from './subjects/tokens.mjs'
import { portcullis, verifiersOf } from './subjects/verifiers.mjs'
import { zoneOf } from './subjects/zone-of.mjs'

/** Twice as many as the gate's cache remembers, so that in turn none is found. */
const TOKENS = 512

/**
 * The engine with the platform's WebCrypto, as it is without a word: in a process of its own, since
 * code that has met promises is slower for those who need none.
 */
export async function run() {
  const rows = []
  for (const alg of ALGS) rows.push(...(await compared(makeKey(alg))))
  return { rows }
}

async function compared(key) {
  const tokens = makeTokens(key, TOKENS)
  const next = fresh(tokens)
  const zone = zoneOf(key.jwk, 100, 10)
  const request = requestsOf(zone, freshLines(tokens))
  const half = { entries: TOKENS / 2, rejected: 2 }
  const gate = createGate(zone, { cache: createVerdictCache(half) })
  const others = (await verifiersOf(key)).filter(({ name }) => /^(jose|hono)/.test(name))
  const own = { name: 'portcullis: verify', kind: 'ours', verify: portcullis(key, webCrypto()) }
  return measure(key.alg, [
    {
      name: 'subtle.verify alone',
      kind: 'floor',
      run: await bareWebCrypto(key.jwk, tokens),
      verify: expectTrue,
    },
    ...[own, ...others].map(({ name, kind, verify }) => ({
      name,
      kind,
      run: (i) => verify(next(i)),
      verify: expectTrue,
    })),
    {
      name: 'portcullis: whole decision, cold',
      run: (i) => gate.decide(request(i)),
      verify: expectAction('pass'),
    },
  ])
}

function expectTrue(isGood) {
  if (isGood !== true) throw new Error('a good token is bad')
}
