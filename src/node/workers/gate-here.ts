import { createVerdictCache } from '../../edge/index.js'
import type { GateServer } from '../gate-server.js'
import { givingWay } from '../giving-way.js'
import type { ServerGate } from '../with-edge-errors.js'
import { unknownKeyWatch } from '../unknown-key-watch.js'
import { createGateTally } from './gate-counts.js'
import type { GateHooks, GatePlace, Gates } from './gates.js'

/** Only when it is asked for: who leaves it to other processes does without, and starts sooner. */
const gateServer = () => import('../gate-server.js')

/** A gate in this process. */
export function gateHere({ listen, upstream, mode, trust }: GatePlace, hooks: GateHooks): Gates {
  const cache = createVerdictCache()
  const tally = createGateTally(cache)
  let gate: ServerGate | undefined
  let server: GateServer | undefined
  return {
    async put(policy) {
      const { createServerGate } = await gateServer()
      if (gate === undefined) gate = createServerGate(policy, cache)
      else await gate.replaceGradually(policy, givingWay())
    },
    async listen() {
      if (gate === undefined) throw new TypeError('expected a policy before listening')
      const { onUnknownKeys } = hooks
      const watch = onUnknownKeys && unknownKeyWatch(gate, onUnknownKeys)
      const { startGateServer } = await gateServer()
      server = await startGateServer({
        gate,
        listen,
        upstream,
        ...(mode && { mode }),
        ...(trust && { trustForwarded: trust }),
        onDecision(decision, asked) {
          tally.decided(decision)
          watch?.(decision)
          hooks.onDecision(decision, asked)
        },
        onFailure(failure, asked) {
          tally.failed(failure.code)
          hooks.onFailure(failure, asked)
        },
      })
      return server.url
    },
    get notices() {
      return gate?.notices ?? []
    },
    get live() {
      return server === undefined ? 0 : 1
    },
    counts: async () => tally.read(),
    async close(graceMs) {
      await server?.close(graceMs)
    },
  }
}
