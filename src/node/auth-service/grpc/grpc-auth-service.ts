import type { sendUnaryData, ServerUnaryCall, ServiceDefinition } from '@grpc/grpc-js'
import type { Server, Socket } from 'node:net'
import type { HeaderEdits } from '../../../edge/embed/index.js'
import { render } from '../../../edge/problem/index.js'
import { peerAddress, rayIds, trusts, type Answer } from '../../proxy/index.js'
import { THIS_MACHINE, type AuthServiceOptions } from '../auth-service.js'
import { knownDialect } from '../dialect.js'
import { Inquiry } from '../inquiry.js'
import { Question } from '../question.js'
import { AUTHORIZATION, PROTOCOL } from './authorization.js'
import { passed, refused, type CheckResponse } from './check-response.js'
import { loadGrpc } from './load-grpc.js'
import { readCheck, type CheckRequest } from './read-check.js'

/** How a gate answers Envoy over gRPC. */
export type GrpcAuthServiceOptions = Omit<AuthServiceOptions, 'dialect'>

/** A gate that Envoy asks over gRPC, behind a `node:net` server. */
export interface GrpcAuthService {
  /** Takes the connections of a server; those of peers that are not trusted are closed. */
  attach(server: Server): void
  /** Takes no more questions; those under way are answered, for `graceMs` at most. */
  close(graceMs: number): Promise<void>
}

/** Of a question; Envoy's largest request heads are smaller, and bodies are none of the gate's business. */
const MOST_BYTES = 1024 * 1024
/** Questions at a time on one connection; Envoy opens another one for more. */
const MOST_STREAMS = 1024

/**
 * Answers Envoy's gRPC `ext_authz`: what passes, what is refused and with what words is as over
 * HTTP (`createAuthService`). Connections are plain HTTP/2.
 *
 * @throws {GrpcMissing} as a rejection, when the packages for gRPC are not installed
 * @throws TypeError as a rejection, for a network in `trustForwarded` that is none
 */
export async function createGrpcAuthService(
  options: GrpcAuthServiceOptions,
): Promise<GrpcAuthService> {
  const trusted = trusts(options.trustForwarded ?? THIS_MACHINE)
  const { grpc, loader } = await loadGrpc()
  const nextRay = rayIds(options.random)
  const dialect = knownDialect('ext-authz')
  const { onFault, now = Date.now } = options

  function check(
    call: Pick<ServerUnaryCall<CheckRequest, CheckResponse>, 'request' | 'getPeer'>,
    reply: sendUnaryData<CheckResponse>,
  ): void {
    const remote = withoutPort(call.getPeer())
    const told = readCheck(call.request, remote)
    if (told === undefined) {
      onFault?.('missing_attribute', remote)
      return reply(null, refused(render(1020, undefined, { now: now() }), ''))
    }
    const asker = {
      pass(edits: HeaderEdits | null) {
        const response = passed(edits)
        if (response !== undefined) reply(null, response)
        return response !== undefined
      },
      refuse: (answer: Answer) => reply(null, refused(answer, told.method)),
    }
    new Inquiry(asker, new Question(told, trusted, nextRay()), dialect, options).run()
  }

  const server = new grpc.Server({
    'grpc.max_receive_message_length': MOST_BYTES,
    'grpc.max_concurrent_streams': MOST_STREAMS,
    'grpc.enable_channelz': 0,
  })
  const definition = loader.fromJSON(PROTOCOL)[AUTHORIZATION] as ServiceDefinition
  server.addService(definition, { Check: check })
  const injector = server.createConnectionInjector(grpc.ServerCredentials.createInsecure())
  const open = new Set<Socket>()
  let closing = false

  function take(socket: Socket): void {
    const remote = socket.remoteAddress
    if (closing) return void socket.destroy()
    if (trusted(peerAddress(remote))) {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      injector.injectConnection(socket)
    } else {
      onFault?.('untrusted_peer', remote ?? '')
      socket.destroy()
    }
  }

  return {
    attach: (listener) => void listener.on('connection', take),
    async close(graceMs) {
      closing = true
      const end = setTimeout(() => open.forEach((socket) => socket.destroy()), graceMs)
      // Node 24 tells that sessions are closed while their last questions are still open.
      const ended = [...open].map((socket) => new Promise((gone) => socket.once('close', gone)))
      const shut = new Promise<void>((resolve) => server.tryShutdown(() => resolve()))
      await Promise.all([shut, ...ended])
      clearTimeout(end)
    },
  }
}

/** The address in `192.0.2.7:50000` or `::1:50000`; empty when the connection is gone already. */
const withoutPort = (peer: string): string => peer.slice(0, Math.max(0, peer.lastIndexOf(':')))
