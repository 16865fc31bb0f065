import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { EdgeErrors } from '../../edge/edge-errors/index.js'
import type { Decision } from '../../edge/index.js'
import { render, type ProblemContext } from '../../edge/problem/index.js'
import {
  answer,
  rayIds,
  trusts,
  type Decider,
  type FillRandom,
  type ProxiedRequest,
  type TrustForwarded,
} from '../proxy/index.js'
import { knownDialect, type DialectName } from './dialect.js'
import { HttpAsker } from './http-asker.js'
import { Inquiry } from './inquiry.js'
import { Question } from './question.js'
import { readQuestion, type QuestionFault } from './read-question.js'

/** How a gate answers other proxies. */
export interface AuthServiceOptions {
  readonly gate: Decider
  readonly dialect: DialectName
  /** How edge errors are answered on a host; by default as the gate itself does. */
  readonly errorsOf?: (host: string) => EdgeErrors
  /** Whose questions are answered: those of this machine (default), or of these networks. */
  readonly trustForwarded?: TrustForwarded
  /** Told of every decision. */
  readonly onDecision?: (decision: Decision, request: ProxiedRequest) => void
  /** Told of questions that could not be judged, and were answered 403. */
  readonly onFault?: (fault: QuestionFault | Error, peer: string) => void
  /** Epoch milliseconds, for error bodies. Default `Date.now`. */
  readonly now?: () => number
  /** Randomness of ray ids. Default node:crypto. */
  readonly random?: FillRandom
  /** Attribution of error bodies. */
  readonly problem?: Pick<ProblemContext, 'vendor' | 'footer' | 'typeBase'>
}

/** A gate that other proxies ask, as a listener of a `node:http` server. */
export interface AuthService {
  handle(request: IncomingMessage, response: ServerResponse): void
  attach(server: Server): void
}

/** Who may ask, unless others are named. */
export const THIS_MACHINE: readonly string[] = ['127.0.0.0/8', '::1/128']

/**
 * Answers the questions of nginx (`auth_request`), Caddy and Traefik (forward auth) and Envoy (HTTP
 * `ext_authz`) whether a request may pass: 200 with the headers to change upstream, or the refusal
 * in the form the client asked for, as far as the proxy hands it on.
 *
 * The proxy sends on what it has, not what was judged: a path that the gate had to normalise (dot
 * segments, empty segments) is refused with 400.
 *
 * @throws TypeError for a dialect or a network in `trustForwarded` that is none
 */
export function createAuthService(options: AuthServiceOptions): AuthService {
  const dialect = knownDialect(options.dialect)
  const trusted = trusts(options.trustForwarded ?? THIS_MACHINE)
  const nextRay = rayIds(options.random)
  const { onFault, now = Date.now } = options

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const told = readQuestion(request, dialect, trusted)
    if (typeof told !== 'string') {
      const asker = new HttpAsker(request, response, told.head, dialect)
      return new Inquiry(asker, new Question(told, trusted, nextRay()), dialect, options).run()
    }
    onFault?.(told, request.socket.remoteAddress ?? '')
    answer(request, response, render(1020, undefined, { now: now() }))
  }
  return {
    handle,
    attach(server) {
      // Node drops lines beyond the thousandth, and what is not seen is not removed: bytes are the limit.
      server.maxHeadersCount = 0
      server.on('request', handle)
    },
  }
}
