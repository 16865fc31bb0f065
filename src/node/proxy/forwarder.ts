import type { ServerResponse } from 'node:http'
import { headerEdits } from '../../edge/embed/index.js'
import type { Decision } from '../../edge/index.js'
import { refuseBare } from './answer.js'
import type { Call } from './call.js'
import { connector } from './connector.js'
import { Exchange } from './exchange.js'
import type { FailureCode } from './failure.js'
import { createOrigins, type Origin } from './origins.js'
import type { Received } from './received.js'
import { requestLines, visits } from './request-lines.js'
import type { Settings } from './settings.js'
import { createTunnels } from './tunnel.js'
import { Upload } from './upload.js'

/** How a request came, besides its message. */
export interface Manner {
  /** The client waits for `100 Continue` before it sends the body. */
  readonly expecting?: boolean
  /** The connection was taken off the parser: what came after the head. */
  readonly head?: Buffer
}

/** Carries requests that passed to the server of their zone. */
export interface Forwarder {
  forward(call: Call, decision: Decision, manner: Manner): void
  close(grace: number): Promise<void>
}

// More is no detour: each visit is one more request to this very process.
const MOST_VISITS = 3

/** HTTP/1.0 has no upgrades: there the header means nothing (RFC 9110 section 7.8). */
const isWebSocket = (received: Received): boolean =>
  received.version !== '1.0' && received.header('upgrade')?.toLowerCase() === 'websocket'

/** Bytes of header lines on the wire. */
function sizeOf(lines: readonly string[]): number {
  // Each name and its value with a colon, a space and the end of the line.
  return lines.reduce((size, text) => size + text.length + 2, 0)
}

/** In its turn: Node would write it into the answer of a pipelined request that came before. */
function goAhead(response: ServerResponse): void {
  if (response.socket === null) response.once('socket', () => goAhead(response))
  else if (!response.headersSent) response.writeContinue()
}

function failed(call: Call, code: FailureCode, why: string): void {
  call.report({ code, error: new Error(why) })
  call.fail(code)
}

/** Opens nothing yet: connections are made when they are needed. */
export function createForwarder(settings: Settings): Forwarder {
  const { timeouts, maxHeaderSize, connections, pseudonym } = settings
  const { tls, lookup, upstream } = settings.options
  const connect = connector({ timeout: timeouts.connect, tls, lookup })
  const { queue, response, idle } = timeouts
  const origins = createOrigins({ connect, connections, queue, maxHeaderSize, response, idle })
  const tunnels = createTunnels(connect, timeouts, maxHeaderSize)

  // A zone without an upstream, or with one that is no origin, is misconfigured: 1043.
  function originOf(call: Call, zone: string | null): Origin | undefined {
    const text = upstream(zone)
    try {
      if (text === undefined) throw new TypeError(`the zone ${zone} has no upstream`)
      return origins.of(zone, text)
    } catch (error) {
      call.report({ code: 1043, error: error as Error })
    }
    return undefined
  }

  function send(call: Call, decision: Decision, origin: Origin, manner: Manner): void {
    const { target } = decision
    const { request, received } = call
    const { method, hasBody } = received
    const { head, expecting } = manner
    const edits = headerEdits(decision)
    const lines = requestLines(received, edits, call)
    if (edits !== null && sizeOf(lines) > maxHeaderSize) {
      failed(call, 1038, 'claims made the head of the request too large')
    } else if (head !== undefined && isWebSocket(received)) {
      const proper = method === 'GET' && !hasBody
      if (proper) tunnels.open(call, origin, { method, target, lines }, head)
      else refuseBare(call.response, 400)
    } else if (target === '*' && !hasBody) {
      tunnels.ask(call, origin, { method, target, lines })
    } else if (target === '*' || (head !== undefined && hasBody)) {
      // Nobody sends these: a body that is out of the parser's reach, or one for no resource.
      call.fail(1045)
    } else {
      if (expecting) goAhead(call.response)
      const body = hasBody ? new Upload(request) : null
      new Exchange(call, origin, { method, target, lines, body }).start()
    }
  }

  return {
    forward(call, decision, manner) {
      const coding = call.received.all('transfer-encoding')
      const origin = originOf(call, decision.zone)
      if (origin === undefined) call.fail(1043)
      // A coding besides chunked would be lost together with the header that names it.
      else if (coding !== undefined && coding.toLowerCase() !== 'chunked') call.fail(1045)
      // The request goes round in a circle: upstream is, in the end, this proxy.
      else if (visits(call.received, pseudonym) >= MOST_VISITS)
        failed(call, 1000, 'upstream leads back to this gate')
      else send(call, decision, origin, manner)
    },
    close(grace) {
      tunnels.close()
      return origins.close(grace)
    },
  }
}
