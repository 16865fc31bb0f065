import { sign, verify } from 'node:crypto'
import { EFFORT } from './effort.mjs'
import { makeKeyPair } from '../subjects/make-key-pair.mjs'

/** Times its best time that a probe may take. */
const MOST = 1.15
/** Of probes before one turn: a tenth of a second at the most, and none for results that need not be exact. */
const TRIES = EFFORT.smoke ? 0 : 300
/** Signatures checked by a probe: a third of a millisecond. */
const CHECKS = 6

const { privateKey, publicKey } = makeKeyPair('ec', { namedCurve: 'P-256' })
const message = Buffer.from('a probe')
const signature = sign('sha256', message, privateKey)

let best = Infinity

/** How long the same work takes now, by its best time so far. */
function probe() {
  const start = performance.now()
  for (let times = 0; times < CHECKS; times++) verify('sha256', message, publicKey, signature)
  const took = performance.now() - start
  best = Math.min(best, took)
  return took / best
}

/**
 * Waits for a moment in which nothing else slows the core down, as a neighbour on the same machine does by a
 * third, but not for ever. No sample is thrown away for it, so what is measured has no say in what counts.
 */
export function waitForQuiet() {
  for (let tries = 0; tries < TRIES && probe() > MOST; tries++);
}
