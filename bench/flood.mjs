import { createGate, createVerdictCache } from 'portcullis'
import { nodeCrypto } from 'portcullis/node'
import { EFFORT } from './measure/effort.mjs'
import { printRows } from './measure/print-rows.mjs'
import { expectAction, requestsOf } from './subjects/requests-of.mjs'
import { freshLines, makeKey, makeToken, makeTokens } from './subjects/tokens.mjs'
import { zoneOf } from './subjects/zone-of.mjs'

const LIVE_TOKENS = 1000
const BAD_TOKENS = EFFORT.smoke ? 10_000 : 1_000_000
/** After so many bad ones, each good one is asked for once: an attacker with a hundredfold of traffic. */
const PASS = EFFORT.smoke ? 2000 : 100_000
const LOOK = 1000

const segment = (text) => Buffer.from(text).toString('base64url')
const passed = expectAction('pass')
const blocked = expectAction('block')

/**
 * What a million distinct bad tokens do to the good ones. They come in turn: a signature that is bad
 * (twice as often as anything else, since only these have a claim to be remembered), a header that
 * nobody has seen, a key that nobody has, an `exp` long past, a segment too few.
 */
export async function run() {
  const key = makeKey('RS256')
  const cache = createVerdictCache()
  const zone = zoneOf(key.jwk, 100, 10)
  const gate = createGate(zone, { crypto: nodeCrypto(), cache })
  const good = requestsOf(zone, freshLines(makeTokens(key, LIVE_TOKENS)))
  const bad = requestsOf(zone, badLines(key))
  for (let i = 0; i < 2 * LIVE_TOKENS; i++) passed(gate.decide(good(i)))
  // What making tokens leaves in the young generation is not the gate's.
  for (let i = 0; i < BAD_TOKENS; i++) bad(i)

  const hitsBefore = cache.stats().hits
  const rssBefore = process.memoryUsage.rss()
  const before = process.cpuUsage()
  let asked = 0
  let most = 0
  for (let i = 1; i <= BAD_TOKENS; i++) {
    blocked(gate.decide(bad(i)))
    if (i % (PASS / LIVE_TOKENS) === 0) passed(gate.decide(good(asked++)))
    if (i % LOOK === 0) most = Math.max(most, process.memoryUsage.rss() - rssBefore)
  }
  const { user, system } = process.cpuUsage(before)
  const { hits, entries, rejectedEntries } = cache.stats()
  const rows = [
    {
      name: 'distinct bad tokens, all refused',
      count: BAD_TOKENS,
      cpu_us: (user + system) / BAD_TOKENS,
    },
    { name: 'good tokens asked for meanwhile', count: asked },
    { name: 'good tokens found in the cache', percent: (100 * (hits - hitsBefore)) / asked },
    { name: 'growth of resident memory, at most', mb: most / 1e6 },
    { name: 'entries of the cache at the end, good', count: entries },
    { name: 'entries of the cache at the end, bad', count: rejectedEntries },
  ]
  printRows(`${LIVE_TOKENS} live RS256 tokens`, rows)
  return { rows }
}

/** Makes the n-th bad token, which is like no other. */
function badLines(key) {
  const [header, payload, signature] = makeToken(key).split('.')
  const [, old] = makeToken(key, 0, { expires: -3600 }).split('.')
  const headers = { alg: key.alg, typ: 'JWT', kid: key.kid }
  const headed = (members) => segment(JSON.stringify({ ...headers, ...members }))
  const spoilt = (n) => mixed(signature, n)
  const kinds = [
    (n) => `${header}.${payload}.${spoilt(n)}`,
    (n) => `${headed({ n })}.${payload}.${spoilt(n)}`,
    (n) => `${header}.${payload}.${spoilt(n)}`,
    (n) => `${headed({ kid: `key-${n}` })}.${payload}.${signature}`,
    (n) => `${header}.${old}.${spoilt(n)}`,
    (n) => `${header}.${spoilt(n)}`,
  ]
  return (i) => `Bearer ${kinds[i % kinds.length](i)}`
}

/** Another signature for each number: the number itself, and near the end, where a cache looks, bits of it mixed. */
function mixed(signature, n) {
  const bits = Buffer.alloc(6)
  bits.writeUInt32BE(Math.imul(n, 0x9e3779b1) >>> 0, 2)
  const number = segment(String(n).padStart(9, '0'))
  return `${signature.slice(0, 40)}${number}${signature.slice(52, -10)}${bits.toString('base64url')}${signature.slice(-2)}`
}
