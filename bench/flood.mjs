import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createGate, createVerdictCache } from 'portcullis'
import { platformCrypto } from 'portcullis/crypto'
import { EFFORT } from './measure/effort.mjs'
import { heldBytes } from './measure/held-bytes.mjs'
import { printRows } from './measure/print-rows.mjs'
import { badLines } from './subjects/bad-lines.mjs'
import { expectAction, requestsOf } from './subjects/requests-of.mjs'
import { freshLines, makeKey, makeTokens } from './subjects/tokens.mjs'
import { zoneOf } from './subjects/zone-of.mjs'

const LIVE_TOKENS = 1000
const BAD_TOKENS = EFFORT.smoke ? 10_000 : 1_000_000
/** Before anything is read: the code that they need is compiled, the cache of bad ones is full. */
const WARM_TOKENS = EFFORT.smoke ? 1000 : 20_000
/** After so many bad ones, each good one is asked for once: an attacker with a hundredfold of traffic. */
const PASS = EFFORT.smoke ? 2000 : 100_000
const LOOK = 1000

/**
 * Processes to flood, with what they load beside the engine and how Node is started: V8 lets garbage
 * gather in proportion to what a process holds, so a gate process is one with all its code.
 */
const PROCESSES = new Map([
  ['an embedded engine', { execArgv: [] }],
  ['a gate process', { loads: 'portcullis/node', execArgv: ['--max-semi-space-size=1'] }],
])

const passed = expectAction('pass')
const blocked = expectAction('block')

/** What a million distinct bad tokens do to the good ones and to memory, each time in a process of its own. */
export async function run() {
  const floods = [...PROCESSES].map(async ([group, { execArgv }]) => {
    const child = fork(fileURLToPath(import.meta.url), ['--flood', group], { execArgv })
    const told = once(child, 'message')
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`${group}: ended with ${code}`)
    const [rows] = await told
    return rows.map((row) => ({ group, ...row }))
  })
  const rows = await Promise.all(floods)
  for (const each of rows) printRows(each[0].group, each)
  return { rows: rows.flat() }
}

async function flood({ loads }) {
  if (loads !== undefined) await import(loads)
  const key = makeKey('RS256')
  const cache = createVerdictCache()
  const zone = zoneOf(key.jwk, 100, 10)
  const gate = createGate(zone, { crypto: platformCrypto(), cache })
  const good = requestsOf(zone, freshLines(makeTokens(key, LIVE_TOKENS)))
  const bad = requestsOf(zone, badLines(key))
  for (let i = 0; i < 2 * LIVE_TOKENS; i++) passed(gate.decide(good(i)))
  for (let i = 0; i < WARM_TOKENS; i++) blocked(gate.decide(bad(BAD_TOKENS + i)))

  const before = await heldBytes()
  const rssBefore = process.memoryUsage.rss()
  const hitsBefore = cache.stats().hits
  const cpuBefore = process.cpuUsage()
  let asked = 0
  let most = 0
  for (let i = 1; i <= BAD_TOKENS; i++) {
    blocked(gate.decide(bad(i)))
    if (i % (PASS / LIVE_TOKENS) === 0) passed(gate.decide(good(asked++)))
    if (i % LOOK === 0) most = Math.max(most, process.memoryUsage.rss() - rssBefore)
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  const { hits, entries, rejectedEntries } = cache.stats()
  const found = hits - hitsBefore
  if (EFFORT.smoke && found < asked) throw new Error(`of ${asked} good tokens ${found} were found`)
  const after = await heldBytes()
  return [
    {
      name: 'distinct bad tokens, all refused',
      count: BAD_TOKENS,
      cpu_us: (user + system) / BAD_TOKENS,
    },
    { name: 'good tokens asked for meanwhile', count: asked },
    { name: 'good tokens found in the cache', percent: (100 * found) / asked },
    { name: 'growth of resident memory, at most', mb: most / 1e6 },
    { name: 'growth of what is not garbage', mb: (after - before) / 1e6 },
    { name: 'entries of the cache at the end, good', count: entries },
    { name: 'entries of the cache at the end, bad', count: rejectedEntries },
  ]
}

if (process.argv[2] === '--flood')
  process.send(await flood(PROCESSES.get(process.argv[3])), () => process.disconnect())
