import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { explanation } from '../edge/gate/index.js'
import { createGate, type CryptoBackend, type Gate } from '../edge/index.js'
import { nodeCrypto } from './crypto.js'
import type { ListenAddress } from './listen-address.js'
import { createProxy, type ProxyOptions } from './proxy/index.js'

/** How a gate server is started. */
export interface GateServerOptions extends Omit<ProxyOptions, 'gate' | 'upstream'> {
  /** What a gate is made from, unless there is one already. */
  readonly policy?: unknown
  readonly gate?: Gate<CryptoBackend<boolean>>
  readonly listen: ListenAddress
  /** For zones that name no upstream of their own. */
  readonly upstream?: string | undefined
}

/** A gate that listens: a reverse proxy in front of the zones' upstreams. */
export interface GateServer {
  readonly url: string
  readonly gate: Gate<CryptoBackend<boolean>>
  /** Ends open connections after `graceMs`; new ones are not taken from the start. */
  close(graceMs?: number): Promise<void>
}

/**
 * Compiles a policy to a gate with Node's synchronous cryptography.
 * @throws {PolicyError}
 */
export const createServerGate = (policy: unknown): Gate<CryptoBackend<boolean>> =>
  createGate(policy, { crypto: nodeCrypto(), explanation })

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
    upstream: (zone) => {
      if (known.epoch !== gate.epoch) known = { epoch: gate.epoch, upstreams: upstreams() }
      return (zone === null ? undefined : known.upstreams.get(zone)) ?? upstream
    },
  })
  // A long upload is no attack: only the head of a request has to come in time (60 s).
  const server = createServer({ requestTimeout: 0 })
  proxy.attach(server)
  await listening(server, listen)
  return {
    url: urlOf(server),
    gate,
    async close(graceMs = 5000) {
      // Together: the server waits for tunnels, and only the proxy knows them.
      await Promise.all([closed(server, graceMs), proxy.close(graceMs)])
    },
  }
}

function listening(server: Server, { host, port }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

function closed(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
}
