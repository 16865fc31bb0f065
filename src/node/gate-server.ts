import { createServer, type Server } from 'node:http'
import { explanation } from '../edge/gate/index.js'
import { createGate, type VerdictCache } from '../edge/index.js'
import { createAuthService, type DialectName, type QuestionFault } from './auth-service/index.js'
import { nodeCrypto } from './crypto.js'
import { closed, listening, type InheritedSocket } from './http-listener.js'
import type { ListenAddress } from './listen-address.js'
import { createProxy, type ProxyOptions } from './proxy/index.js'
import { withEdgeErrors, type ServerGate } from './with-edge-errors.js'

/** How a gate server is started. */
export interface GateServerOptions extends Omit<ProxyOptions, 'gate' | 'upstream' | 'errorsOf'> {
  /** What a gate is made from, unless there is one already. */
  readonly policy?: unknown
  readonly gate?: ServerGate
  /** A socket of another process is inherited by its number. */
  readonly listen: ListenAddress | InheritedSocket
  /** A reverse proxy (default), or the dialect in which other proxies ask. */
  readonly mode?: 'proxy' | DialectName
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
 * @throws TypeError for a network in `trustForwarded` that is none
 */
export async function startGateServer(options: GateServerOptions): Promise<GateServer> {
  const { policy, gate = createServerGate(policy), listen, mode = 'proxy', ...rest } = options
  // A long upload is no attack: only the head of a request has to come in time (60 s).
  const server = createServer({ requestTimeout: 0 })
  const close =
    mode === 'proxy' ? proxyOn(server, gate, rest) : authServiceOn(server, gate, mode, rest)
  const url = await listening(server, listen)
  return {
    url,
    gate,
    async close(graceMs = 5000) {
      // Together: the server waits for tunnels, and only the proxy knows them.
      await Promise.all([closed(server, graceMs), close(graceMs)])
    },
  }
}

type ServingOptions = Omit<GateServerOptions, 'policy' | 'gate' | 'listen' | 'mode'>

/** Gives what closes the proxy. */
function proxyOn(
  server: Server,
  gate: ServerGate,
  { upstream, ...options }: ServingOptions,
): (graceMs: number) => Promise<void> {
  const upstreams = () => new Map(gate.zones.map((zone) => [zone.id, zone.upstream]))
  let known = { epoch: gate.epoch, upstreams: upstreams() }
  const proxy = createProxy({
    ...options,
    gate,
    errorsOf: gate.errorsOf,
    upstream: (zone) => {
      if (known.epoch !== gate.epoch) known = { epoch: gate.epoch, upstreams: upstreams() }
      return (zone === null ? undefined : known.upstreams.get(zone)) ?? upstream
    },
  })
  proxy.attach(server)
  return proxy.close
}

const FAULTS: Readonly<Record<QuestionFault, string>> = {
  untrusted_peer: 'the address that asks is not trusted',
  missing_header: 'the question lacks a header of the dialect',
  repeated_header: 'a header of the dialect is there twice',
}

function authServiceOn(
  server: Server,
  gate: ServerGate,
  dialect: DialectName,
  { trustForwarded, onDecision, onFailure, now, random, ...problem }: ServingOptions,
): () => Promise<void> {
  const service = createAuthService({
    gate,
    dialect,
    errorsOf: gate.errorsOf,
    problem,
    ...(trustForwarded !== undefined && { trustForwarded }),
    ...(onDecision && { onDecision }),
    ...(now && { now }),
    ...(random && { random }),
    onFault(fault, ip) {
      const error = typeof fault === 'string' ? new Error(FAULTS[fault]) : fault
      onFailure?.({ code: 500, error }, { ray: '', method: '', host: '', target: '', ip })
    },
  })
  service.attach(server)
  return async () => {}
}
