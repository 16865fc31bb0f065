import { jwtVerify } from 'jose'
import { verify as honoVerify } from 'hono/jwt'
import { createGate, createVerdictCache, createVerifier, importKeySet } from 'portcullis'
import { platformCrypto } from 'portcullis/crypto'
import { bareWebCrypto } from './bare-web-crypto.mjs'
import { expectAction, requestsOf } from './requests-of.mjs'
import { webCryptoKey } from './web-crypto-key.mjs'
import { zoneOf } from './zone-of.mjs'

/**
 * The subjects inside workerd, one set for each algorithm. `POST ?alg=…&name=…&size=N` does N
 * operations and answers when they are done; what they cost is counted outside.
 */
export default {
  async fetch(request, { input }) {
    const { alg, name, size } = Object.fromEntries(new URL(request.url).searchParams)
    const subject = (await subjectsOf(alg, input)).get(name)
    const { run, check } = subject
    for (let i = 0; i < Number(size); i++) {
      const result = run(subject.counter++)
      check(result instanceof Promise ? await result : result)
    }
    return new Response('done')
  },
}

const made = new Map()

/** Keys are imported once; workerd lets nobody do so before the first request. */
function subjectsOf(alg, input) {
  if (!made.has(alg)) made.set(alg, makeSubjects(alg, JSON.parse(input)[alg]))
  return made.get(alg)
}

async function makeSubjects(alg, { jwk, tokens, spoilt }) {
  const zone = zoneOf(jwk, 100, 10)
  const good = requestsOf(zone, freshLines(tokens))
  const bad = requestsOf(zone, freshLines(spoilt))
  const half = { entries: tokens.length / 2, rejected: 2 }
  const crypto = platformCrypto()
  const cold = createGate(zone, { crypto, cache: createVerdictCache(half) })
  const plain = createGate(zone, { cache: createVerdictCache(half) })
  const warm = createGate(zone, { crypto })
  const keySet = importKeySet([jwk], crypto)
  const verifier = createVerifier({ crypto })
  const { key } = await webCryptoKey(jwk)
  const next = freshLines(tokens)
  const token = (i) => next(i).slice(7)
  const passes = expectAction('pass')
  const options = { algorithms: [alg] }
  const honoOptions = { alg, iat: false }
  for (let i = 0; i < tokens.length; i++) await warm.decide(good(i))
  const subjects = [
    ['subtle.verify alone', { run: await bareWebCrypto(jwk, tokens), check: isTrue }],
    ['valid', { run: (i) => cold.decide(good(i)), check: passes }],
    ['bad signature', { run: (i) => cold.decide(bad(i)), check: expectAction('block') }],
    ['valid, a gate without options', { run: (i) => plain.decide(good(i)), check: passes }],
    ['warm', { run: (i) => warm.decide(good(i)), check: passes }],
    [
      'verify alone',
      { run: (i) => verifier.verify(token(i), keySet, Date.now() / 1000), check: isValid },
    ],
    ['jose', { run: (i) => jwtVerify(token(i), key, options), check: hasClaims }],
    ['hono/jwt', { run: (i) => honoVerify(token(i), key, honoOptions), check: isClaims }],
    ['harness: making the request', { run: good, check: isRequest }],
  ]
  return new Map(subjects.map(([name, subject]) => [name, { ...subject, counter: 0 }]))
}

/** Where there is no Buffer, a decoder makes a string that nobody has seen before. */
function freshLines(tokens) {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  const lines = tokens.map((token) => encoder.encode(`Bearer ${token}`))
  return (i) => decoder.decode(lines[i % lines.length])
}

function isTrue(result) {
  if (result !== true) throw new Error('a result is not what it should be')
}
const isValid = ({ status }) => isTrue(status === 'valid')
const hasClaims = ({ payload }) => isClaims(payload)
const isRequest = ({ method }) => isTrue(method === 'GET')
const isClaims = ({ exp }) => isTrue(exp > 0)
