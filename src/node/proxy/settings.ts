import { randomBytes } from 'node:crypto'
import { maxHeaderSize } from 'node:http'
import type { LookupFunction } from 'node:net'
import { plainEdgeErrors, type EdgeErrors } from '../../edge/edge-errors/index.js'
import type { Decision, GateRequest } from '../../edge/index.js'
import type { UpstreamTls } from './connector.js'
import type { Failure } from './failure.js'
import { trusts, type TrustForwarded, type Trusts } from './peers.js'
import { rayIds, type FillRandom } from './ray-ids.js'
import { viaOf } from './request-lines.js'

/** What the proxy waits for, in milliseconds. */
export interface Timeouts {
  /** The TCP and TLS handshakes with upstream: 522, or 525 when only TLS is missing. */
  readonly connect: number
  /** From the end of the request to the head of the answer: 524. */
  readonly response: number
  /** Between two parts of an answer; then it breaks off. */
  readonly idle: number
  /** For a client that sends nothing of its body (408), or takes nothing of the answer. */
  readonly client: number
  /** For a free connection, when all are in use: 504. */
  readonly queue: number
  /** Without traffic in either direction after an upgrade. */
  readonly tunnel: number
}

const TIMEOUTS: Timeouts = {
  connect: 10_000,
  response: 120_000,
  idle: 300_000,
  client: 60_000,
  queue: 30_000,
  tunnel: 300_000,
}

/** The gate, as far as a proxy needs it. */
export interface Decider {
  decide(request: GateRequest): Decision | Promise<Decision>
}

/** One request, as hooks see it. */
export interface ProxiedRequest {
  /** 16 hex digits: `cf-ray` of upstream's request and of every answer made here. */
  readonly ray: string
  readonly method: string
  readonly host: string
  readonly target: string
  readonly ip: string
}

export interface ProxyOptions {
  readonly gate: Decider
  /** Origin of a zone, such as `http://127.0.0.1:9000`; zone null is a host of no zone. */
  readonly upstream: (zone: string | null) => string | undefined
  /** How edge errors are answered on a host (its header as sent); by default all are negotiated. */
  readonly errorsOf?: (host: string) => EdgeErrors
  /** Whose `X-Forwarded-*` are believed: nobody's (default), or those of these networks. */
  readonly trustForwarded?: TrustForwarded
  readonly timeouts?: Partial<Timeouts>
  /** Told of every decision, before the request goes on. */
  readonly onDecision?: (decision: Decision, request: ProxiedRequest) => void
  /** Told when upstream fails: `code` was the answer, or what it would have been when it broke off. */
  readonly onFailure?: (failure: Failure, request: ProxiedRequest) => void
  /** Epoch milliseconds, for error bodies. Default `Date.now`. */
  readonly now?: () => number
  /** Randomness of ray ids. Default node:crypto. */
  readonly random?: FillRandom
  /**
   * Bytes of an upstream response head at most (520), and of a request head that carries claims
   * (1038); default as for Node's servers.
   */
  readonly maxHeaderSize?: number
  /** Connections to one origin at most. Default 512. */
  readonly connections?: number
  /** Send the client's Host upstream (default), or that of the origin. */
  readonly preserveHost?: boolean
  readonly tls?: UpstreamTls
  /** Resolves upstream's names; default `dns.lookup`. */
  readonly lookup?: LookupFunction
  /** Put `cf-ray` on the answers of upstream too. Default false: they stay as they are. */
  readonly rayOnAll?: boolean
  /** This instance's name in `Via`; one of its own by default, which is how loops are noticed. */
  readonly pseudonym?: string
  /** Attribution of error bodies, as in `ProblemContext`. */
  readonly vendor?: string
  readonly footer?: string
  readonly typeBase?: string
}

/** The options with every default filled in. */
export interface Settings {
  readonly options: ProxyOptions
  readonly timeouts: Timeouts
  readonly errorsOf: (host: string) => EdgeErrors
  readonly trusts: Trusts
  readonly now: () => number
  readonly nextRay: () => string
  readonly maxHeaderSize: number
  readonly connections: number
  readonly preserveHost: boolean
  readonly pseudonym: string
  readonly via: (version: string) => string
}

/** @throws TypeError for a network in `trustForwarded` that is none */
export function settle(options: ProxyOptions): Settings {
  const pseudonym = options.pseudonym ?? `portcullis-${randomBytes(4).toString('hex')}`
  return {
    options,
    timeouts: { ...TIMEOUTS, ...options.timeouts },
    errorsOf: options.errorsOf ?? (() => plainEdgeErrors),
    trusts: trusts(options.trustForwarded ?? false),
    now: options.now ?? Date.now,
    nextRay: rayIds(options.random),
    maxHeaderSize: options.maxHeaderSize ?? maxHeaderSize,
    connections: options.connections ?? 512,
    preserveHost: options.preserveHost ?? true,
    pseudonym,
    via: viaOf(pseudonym),
  }
}
