import { createServer } from 'node:http'
import { explanation } from '../edge/gate/index.js'
import { createGate, type VerdictCache } from '../edge/index.js'
import { nodeCrypto } from './crypto.js'
import { closed, listening } from './http-listener.js'
import type { ListenAddress } from './listen-address.js'
import { createProxy, type ProxyOptions } from './proxy/index.js'
import { withEdgeErrors, type ServerGate } from './with-edge-errors.js'

/** How a gate server is started. */
export interface GateServerOptions extends Omit<ProxyOptions, 'gate' | 'upstream' | 'errorsOf'> {
  /** What a gate is made from, unless there is one already. */
  readonly policy?: unknown
  readonly gate?: ServerGate
  readonly listen: ListenAddress
  /** For zones that name no upstream of their own. */
  readonly upstream?: string | undefined
}

/** A gate that listens: a reverse proxy in front of the zones' upstreams. */
export interface GateServer {
  readonly url: string
  readonly gate: ServerGate
  /** Ends open connections after `graceMs`; new ones are not taken from the start. */
  close(graceMs?: number): Promise<void>
}

/**
 * Compiles a policy, its `edge_errors` included, to a gate with Node's synchronous cryptography.
 *
 * @param cache verdicts to remember: one of the gate's own by default
 * @throws {PolicyError}
 */
export const createServerGate = (policy: unknown, cache?: VerdictCache): ServerGate =>
  withEdgeErrors(policy, (each) =>
    createGate(each, { crypto: nodeCrypto(), explanation, ...(cache && { cache }) }),
  )

/**
 * Compiles the policy and listens.
 * @throws {PolicyError} before anything listens.
 */
export async function startGateServer(options: GateServerOptions): Promise<GateServer> {
  const { policy, gate = createServerGate(policy), listen, upstream, ...proxyOptions } = options
  const upstreams = () => new Map(gate.zones.map((zone) => [zone.id, zone.upstream]))
  let known = { epoch: gate.epoch, upstreams: upstreams() }
  const proxy = createProxy({
    ...proxyOptions,
    gate,
    errorsOf: gate.errorsOf,
    upstream: (zone) => {
      if (known.epoch !== gate.epoch) known = { epoch: gate.epoch, upstreams: upstreams() }
      return (zone === null ? undefined : known.upstreams.get(zone)) ?? upstream
    },
  })
  // A long upload is no attack: only the head of a request has to come in time (60 s).
  const server = createServer({ requestTimeout: 0 })
  proxy.attach(server)
  const url = await listening(server, listen)
  return {
    url,
    gate,
    async close(graceMs = 5000) {
      // Together: the server waits for tunnels, and only the proxy knows them.
      await Promise.all([closed(server, graceMs), proxy.close(graceMs)])
    },
  }
}
