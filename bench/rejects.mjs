import { createGate, createVerifier, importKeySet } from 'portcullis'
import { nodeCrypto } from 'portcullis/node'
import { measure } from './measure/measure.mjs'
import { expectAction, requestsOf } from './subjects/requests-of.mjs'
import { readOnce } from './subjects/read-once.mjs'
import { REFUSED } from './subjects/refused-tokens.mjs'
import { fresh, freshLines, makeKey, makeTokens } from './subjects/tokens.mjs'
import { verifiersByKid } from './subjects/verifiers-by-kid.mjs'
import { verifiersOf } from './subjects/verifiers.mjs'
import { zoneOf } from './subjects/zone-of.mjs'

const TOKENS = 256

/** Tokens that are refused before their signature is looked at, whole decisions and verifiers. */
export async function run() {
  const key = makeKey('ES256')
  const good = makeTokens(key, TOKENS)
  const ofOneKey = (await verifiersOf(key)).filter(({ kind }) => kind === 'peer')
  const rows = []
  for (const [group, { make, byKid }] of REFUSED) {
    const bad = good.map((token, n) => make(token, key, n))
    const peers = byKid ? verifiersByKid(key) : ofOneKey
    rows.push(...(await measure(group, candidates(key, bad, peers))))
  }
  return { rows }
}

function candidates(key, tokens, peers) {
  const next = fresh(tokens)
  const crypto = nodeCrypto()
  const keySet = importKeySet([key.jwk], crypto)
  const verifier = createVerifier({ crypto })
  const zone = zoneOf(key.jwk, 100, 10)
  const gate = createGate(zone, { crypto })
  const request = requestsOf(zone, freshLines(tokens))
  return [
    { name: 'harness: the string alone', kind: 'harness', run: next },
    { name: 'harness: making the request', kind: 'harness', run: request },
    {
      name: 'the string, its characters read once',
      kind: 'floor',
      run: (i) => readOnce(next(i)),
      verify: expectRead,
    },
    {
      name: 'portcullis: verify',
      kind: 'ours',
      run: (i) => verifier.verify(next(i), keySet, Date.now() / 1000).status !== 'valid',
      verify: expectRefusal,
    },
    {
      name: 'portcullis: whole decision',
      run: (i) => gate.decide(request(i)),
      verify: expectAction('block'),
    },
    ...peers.map(({ name, kind, verify }) => ({
      name,
      kind,
      run: (i) => verify(next(i)),
      verify: (isGood) => expectRefusal(isGood === false),
    })),
  ]
}

function expectRefusal(isRefused) {
  if (isRefused !== true) throw new Error('a bad token is good')
}

function expectRead(characters) {
  if (!(characters > 0)) throw new Error('nothing was read')
}
