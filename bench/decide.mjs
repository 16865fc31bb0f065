import { createVerifier as fastJwtVerifier } from 'fast-jwt'
import { createGate, createVerdictCache } from 'portcullis'
import { guardFetch } from 'portcullis/embed'
import { nodeCrypto } from 'portcullis/node'
import { MORE_ROUNDS } from './measure/effort.mjs'
import { measure } from './measure/measure.mjs'
import { floorsOf } from './subjects/floors-of.mjs'
import { expectAction, requestsOf } from './subjects/requests-of.mjs'
import {
  ALGS,
  badLines,
  fresh,
  freshLines,
  goodLines,
  makeKey,
  makeToken,
  makeTokens,
} from './subjects/tokens.mjs'
import { zoneOf } from './subjects/zone-of.mjs'

const LIVE_TOKENS = 1000

/**
 * A cache that holds half of the tokens that come in turn never finds one, and does all the work of
 * looking, keeping and letting go. Bad ones, which it keeps when they come again, never do.
 */
const COLD_TOKENS = 512

/** Whole decisions: warm as the policy grows, cold with each algorithm, and through an embedding. */
export async function run() {
  const rows = await warmDecisions()
  for (const alg of ALGS) rows.push(...(await coldDecisions(alg)))
  rows.push(...(await embedded()))
  return { rows }
}

async function warmDecisions() {
  const key = makeKey('ES256')
  const tokens = makeTokens(key, LIVE_TOKENS)
  const next = fresh(tokens)
  const pem = key.publicKey.export({ type: 'spki', format: 'pem' })
  const peers = [
    ['fast-jwt, cached verify alone', {}],
    ['fast-jwt, cached by the token itself', { cacheKeyBuilder: (token) => token }],
  ].map(([name, options]) => {
    const verify = fastJwtVerifier({ key: pem, cache: 4 * LIVE_TOKENS, ...options })
    for (let i = 0; i < tokens.length; i++) verify(next(i))
    return { name, kind: 'peer', run: (i) => verify(next(i)), verify: expectClaims }
  })
  const idle = requestsOf(zoneOf(key.jwk, 100, 10), freshLines(tokens))
  const gates = [
    warm('10 operations, 2 rules', key, tokens, 10, 2),
    { ...warm('100 operations, 10 rules', key, tokens, 100, 10), kind: 'ours' },
    warm('1,000 operations, 200 rules', key, tokens, 1000, 200),
  ]
  const rows = await measure('warm', [
    { name: 'harness: making the request', kind: 'harness', run: (i) => idle(i) },
    ...gates,
    ...peers,
  ])
  for (const { cache } of gates)
    if (cache.stats().misses > LIVE_TOKENS) throw new Error('a warm token was not in the cache')
  return rows
}

function warm(name, key, tokens, operations, rules) {
  const zone = zoneOf(key.jwk, operations, rules)
  const cache = createVerdictCache()
  const gate = createGate(zone, { crypto: nodeCrypto(), cache })
  const request = requestsOf(zone, freshLines(tokens))
  for (let i = 0; i < tokens.length; i++) gate.decide(request(i))
  return { name, cache, run: (i) => gate.decide(request(i)), verify: expectAction('pass') }
}

/** Every token is new to the gate. */
async function coldDecisions(alg) {
  const key = makeKey(alg)
  const tokens = makeTokens(key, COLD_TOKENS)
  const zone = zoneOf(key.jwk, 100, 10)
  const good = requestsOf(zone, goodLines(tokens))
  const bad = requestsOf(zone, badLines(tokens))
  const gateWith = (cache) => createGate(zone, { crypto: nodeCrypto(), cache })
  const cold = (name, gate, request, action) => {
    return { name, run: (i) => gate.decide(request(i)), verify: expectAction(action) }
  }
  const cache = createVerdictCache({ entries: COLD_TOKENS / 2 })
  // One gate for good and bad tokens: where two have their keys in memory can make a hundredth.
  const gate = gateWith(cache)
  const subjects = [
    ...floorsOf(key, tokens).map((floor) => ({ ...floor, verify: expectTrue })),
    cold('valid', gate, good, 'pass'),
    cold('bad signature', gate, bad, 'block'),
    cold('valid, a gate without a cache', gateWith(false), good, 'pass'),
  ]
  const rows = await measure(`cold ${alg}`, subjects, MORE_ROUNDS)
  const { hits, rejectedHits } = cache.stats()
  if (hits + rejectedHits > 0) throw new Error('a cold token was in the cache')
  return rows
}

function expectClaims({ exp }) {
  if (!(exp > 0)) throw new Error('a good token has no claims')
}

function expectTrue(isGood) {
  if (isGood !== true) throw new Error('a good signature is bad')
}

/** The whole of an embedding: a fetch Request in, a Response out. */
async function embedded() {
  const key = makeKey('ES256')
  const gate = createGate(zoneOf(key.jwk, 100, 10), { crypto: nodeCrypto() })
  const handler = guardFetch(gate, () => new Response('ok'))
  const headers = { authorization: `Bearer ${makeToken(key)}` }
  const url = 'https://h0.example.com/v1/things0/42'
  const check = (status) => (response) => {
    if (response.status !== status) throw new Error(`expected ${status}, found ${response.status}`)
  }
  return measure('guardFetch', [
    { name: 'harness: Request and Response', kind: 'harness', run: () => exchange(url, headers) },
    { name: 'passes', run: () => handler(new Request(url, { headers })), verify: check(200) },
    {
      name: 'refused as JSON',
      run: () => handler(new Request(url, { headers: { accept: 'application/json' } })),
      verify: check(401),
    },
  ])
}

const exchange = (url, headers) => [new Request(url, { headers }), new Response('ok')]
