import { setTimeout as delay } from 'node:timers/promises'
import type { Gates } from '../workers/index.js'
import type { Terminal } from './terminal.js'

/** Ends gates when their open requests are done, or have had their time. */
export async function finish(gates: Gates, terminal: Terminal): Promise<void> {
  terminal.err('portcullis: finishing open requests')
  await Promise.race([gates.close(), delay(10_000, undefined, { ref: false })])
}
