import { createServer } from 'node:http'
import { explanation } from '../edge/gate/index.js'
import { createGate, type CryptoBackend, type Gate, type VerdictCache } from '../edge/index.js'
import { nodeCrypto } from './crypto.js'
import { closed, listening } from './http-listener.js'
import type { ListenAddress } from './listen-address.js'
import { createProxy, type ProxyOptions } from './proxy/index.js'

/** How a gate server is started. */
export interface GateServerOptions extends Omit<ProxyOptions, 'gate' | 'upstream'> {
  readonly policy: unknown
  readonly listen: ListenAddress
  /** For zones that name no upstream of their own. */
  readonly upstream?: string | undefined
  /** Verdicts to remember: one of the gate's own by default. */
  readonly cache?: VerdictCache | undefined
  /** Runs before anything listens: what it puts in force is there for the first request. */
  readonly prepare?: ((gate: Gate<CryptoBackend<boolean>>) => Promise<void>) | undefined
}

/** A gate that listens: a reverse proxy in front of the zones' upstreams. */
export interface GateServer {
  readonly url: string
  readonly gate: Gate<CryptoBackend<boolean>>
  /** Ends open connections after `graceMs`; new ones are not taken from the start. */
  close(graceMs?: number): Promise<void>
}

/**
 * Compiles the policy and listens.
 * @throws {PolicyError} before anything listens.
 */
export async function startGateServer(options: GateServerOptions): Promise<GateServer> {
  const { policy, listen, upstream, cache, prepare, ...proxyOptions } = options
  const crypto = nodeCrypto()
  const gate = createGate(policy, { crypto, explanation, ...(cache && { cache }) })
  const upstreams = () => new Map(gate.zones.map((zone) => [zone.id, zone.upstream]))
  let known = { epoch: gate.epoch, upstreams: upstreams() }
  const proxy = createProxy({
    ...proxyOptions,
    gate,
    upstream: (zone) => {
      if (known.epoch !== gate.epoch) known = { epoch: gate.epoch, upstreams: upstreams() }
      return (zone === null ? undefined : known.upstreams.get(zone)) ?? upstream
    },
  })
  // A long upload is no attack: only the head of a request has to come in time (60 s).
  const server = createServer({ requestTimeout: 0 })
  proxy.attach(server)
  await prepare?.(gate)
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
