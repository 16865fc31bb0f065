import { createServer as createPlainServer, type Server as PlainServer } from 'node:net'
import { explanation } from '../edge/gate/index.js'
import { createGate, type VerdictCache } from '../edge/index.js'
import {
  createAuthService,
  createGrpcAuthService,
  type DialectName,
  type GrpcAuthServiceOptions,
  type QuestionFault,
} from './auth-service/index.js'
import { nodeCrypto } from './crypto.js'
import type { GateMode } from './gate-modes.js'
import { closed, httpServer, listening, type InheritedSocket } from './http-listener.js'
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
  /** A reverse proxy by default. */
  readonly mode?: GateMode
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
 * @throws {GrpcMissing} for mode `ext-authz-grpc` without the packages for it
 * @throws TypeError for a network in `trustForwarded` that is none
 */
export async function startGateServer(options: GateServerOptions): Promise<GateServer> {
  const { policy, gate = createServerGate(policy), listen, mode = 'proxy', ...rest } = options
  const { server, close } = await SERVING[mode](gate, rest)
  const url = await listening(server, listen)
  return { url, gate, close: (graceMs = 5000) => close(graceMs) }
}

type ServingOptions = Omit<GateServerOptions, 'policy' | 'gate' | 'listen' | 'mode'>

/** What listens, once it is told where, and how it ends. */
interface Serving {
  readonly server: PlainServer
  close(graceMs: number): Promise<void>
}

type Serve = (gate: ServerGate, options: ServingOptions) => Serving | Promise<Serving>

const SERVING: Readonly<Record<GateMode, Serve>> = {
  proxy,
  'auth-request': (gate, options) => authService(gate, 'auth-request', options),
  'forward-auth': (gate, options) => authService(gate, 'forward-auth', options),
  'ext-authz': (gate, options) => authService(gate, 'ext-authz', options),
  'ext-authz-grpc': grpcAuthService,
}

function proxy(gate: ServerGate, { upstream, ...options }: ServingOptions): Serving {
  const upstreams = () => new Map(gate.zones.map((zone) => [zone.id, zone.upstream]))
  let known = { epoch: gate.epoch, upstreams: upstreams() }
  const proxying = createProxy({
    ...options,
    gate,
    errorsOf: gate.errorsOf,
    upstream: (zone) => {
      if (known.epoch !== gate.epoch) known = { epoch: gate.epoch, upstreams: upstreams() }
      return (zone === null ? undefined : known.upstreams.get(zone)) ?? upstream
    },
  })
  const server = httpServer()
  proxying.attach(server)
  return {
    server,
    async close(graceMs) {
      // Together: the server waits for tunnels, and only the proxy knows them.
      await Promise.all([closed(server, graceMs), proxying.close(graceMs)])
    },
  }
}

function authService(gate: ServerGate, dialect: DialectName, options: ServingOptions): Serving {
  const server = httpServer()
  createAuthService({ ...askedOptions(gate, dialect, options), dialect }).attach(server)
  return { server, close: (graceMs) => closed(server, graceMs) }
}

async function grpcAuthService(gate: ServerGate, options: ServingOptions): Promise<Serving> {
  const service = await createGrpcAuthService(askedOptions(gate, 'ext-authz-grpc', options))
  // Connections of a proxy last; one whose other end is gone is noticed.
  const server = createPlainServer({ noDelay: true, keepAlive: true })
  service.attach(server)
  return {
    server,
    async close(graceMs) {
      const ended = new Promise((resolve) => server.close(resolve))
      await Promise.all([ended, service.close(graceMs)])
    },
  }
}

/** What a peer that gets no verdict did wrong, by mode of the gate. */
const FAULTS: Readonly<Record<QuestionFault, (mode: GateMode) => string>> = {
  untrusted_peer: () => 'that address is not in --trust',
  missing_header: (mode) => `a header that --mode ${mode} reads is missing or empty`,
  repeated_header: (mode) => `a header that --mode ${mode} reads is there twice`,
  missing_attribute: () => 'the method, host or path of a request is missing',
}

function faultError(fault: QuestionFault | Error, ip: string, mode: GateMode): Error {
  if (typeof fault !== 'string') return fault
  const why = FAULTS[fault](mode)
  return new Error(`a question of ${ip} is refused: ${why} (see AUTH-SERVICE.md)`)
}

function askedOptions(
  gate: ServerGate,
  mode: GateMode,
  { trustForwarded, onDecision, onFailure, now, random, ...problem }: ServingOptions,
): GrpcAuthServiceOptions {
  return {
    gate,
    errorsOf: gate.errorsOf,
    problem,
    ...(trustForwarded !== undefined && { trustForwarded }),
    ...(onDecision && { onDecision }),
    ...(now && { now }),
    ...(random && { random }),
    onFault(fault, ip) {
      onFailure?.(
        { code: 500, error: faultError(fault, ip, mode) },
        { ray: '', method: '', host: '', target: '', ip },
      )
    },
  }
}
