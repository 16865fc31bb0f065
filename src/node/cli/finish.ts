import { setTimeout as delay } from 'node:timers/promises'
import type { GateServer } from '../gate-server.js'
import type { Terminal } from './terminal.js'

/** Ends a server when its open requests are done, or have had their time. */
export async function finish(server: GateServer, terminal: Terminal): Promise<void> {
  terminal.err('portcullis: finishing open requests')
  await Promise.race([server.close(), delay(10_000, undefined, { ref: false })])
}
