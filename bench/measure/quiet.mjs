import { sign, verify } from 'node:crypto'
import { EFFORT } from './effort.mjs'
import { makeKeyPair } from '../subjects/make-key-pair.mjs'

/** Times its best time that a probe may take. */
const MOST = 1.2
/** Of probes before one turn: some milliseconds at the most. */
const TRIES = 30
/** Before a turn of another process, which is longer: a tenth of a second. */
export const MORE_TRIES = 500
/** Of either kind of work in a probe: half of its time each, a fifth of a millisecond together. */
const CHECKS = 2
const READS = 30

const { privateKey, publicKey } = makeKeyPair('ec', { namedCurve: 'P-256' })
const message = Buffer.from('a probe')
const signature = sign('sha256', message, privateKey)
const text = JSON.stringify({
  iss: 'https://issuer.example',
  aud: ['https://api.example', 'another'],
  sub: 'somebody',
  exp: 2_000_000_000,
  scope: 'read write',
  roles: ['one', 'two'],
})

let best = Infinity

/**
 * Whether nothing else slows the core down at this moment, by the best time of the same work so far. What
 * computes suffers by a third from a neighbour on the same core, what reads and allocates by two thirds:
 * the probe does both.
 */
export function isQuiet() {
  // What was measured before it has other code in the core's caches.
  work()
  const start = performance.now()
  work()
  const took = performance.now() - start
  best = Math.min(best, took)
  return took <= MOST * best
}

function work() {
  for (let times = 0; times < CHECKS; times++) verify('sha256', message, publicKey, signature)
  for (let times = 0; times < READS; times++) JSON.parse(text)
}

/** Waits for a quiet moment, where turns do and not for long; tells whether it came. */
export function waitForQuiet(tries = TRIES) {
  if (EFFORT.smoke) return true
  const most = EFFORT.waits ? tries : 1
  for (let tried = 0; tried < most; tried++) if (isQuiet()) return true
  return false
}
