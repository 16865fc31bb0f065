import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Decision } from '../../edge/index.js'
import { errorPage, isErrorPage } from '../../edge/problem/index.js'
import { refuseBare } from './answer.js'
import { Call } from './call.js'
import { createForwarder, type Manner } from './forwarder.js'
import { receive } from './received.js'
import { responseOn } from './response-on.js'
import { settle, type ProxyOptions } from './settings.js'
import { closeWith } from './waiting.js'

/** A gate with upstream servers behind it, as listeners of a `node:http` or `node:https` server. */
export interface Proxy {
  /** Listener of `request`. */
  handle(request: IncomingMessage, response: ServerResponse): void
  /** Listener of `checkContinue`: a blocked request is answered before its body is sent. */
  expect(request: IncomingMessage, response: ServerResponse): void
  /** Listener of `upgrade`: WebSockets pass once the gate let their handshake pass. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Listener of `connect`: no tunnels to anywhere, 501. */
  connect(request: IncomingMessage, socket: Duplex): void
  /** Makes a server use all of these. */
  attach(server: Server): void
  /**
   * Breaks off tunnels, lets requests under way finish (for `grace` milliseconds, 10 s by default)
   * and closes all connections upstream.
   */
  close(grace?: number): Promise<void>
}

/**
 * Makes a proxy. Requests are judged first and forwarded as they were judged; what the gate blocks
 * and what fails upstream is answered with an edge error, everything upstream says passes untouched.
 *
 * @throws TypeError for a network in `trustForwarded` that is none
 */
export function createProxy(options: ProxyOptions): Proxy {
  const settings = settle(options)
  const forwarder = createForwarder(settings)
  const { gate, onDecision } = options

  function admit(request: IncomingMessage, response: ServerResponse, manner: Manner): void {
    const received = receive(request, settings.trusts)
    if (received === undefined) return refuseBare(response, 400)
    if (response.socket === null) closeWith(request.socket, response)
    const call = new Call(request, response, received, settings)
    const { target, method } = received
    const page = isErrorPage(target) && errorPage(target, method, call.accept, call.dressed)
    if (page) return call.answer(page)
    const conclude = (decision: Decision) => {
      onDecision?.(decision, call)
      if (decision.action === 'block') call.refuse(decision)
      else forwarder.forward(call, decision, manner)
    }
    try {
      const decision = gate.decide(received)
      if (!(decision instanceof Promise)) conclude(decision)
      else decision.then(conclude).catch((error: unknown) => call.fault(error))
    } catch (error) {
      call.fault(error)
    }
  }

  function refuseTunnel(request: IncomingMessage, response: ServerResponse): void {
    const received = receive(request, settings.trusts)
    if (received === undefined) refuseBare(response, 400)
    else new Call(request, response, received, settings).fail(1045)
  }

  const proxy: Proxy = {
    handle: (request, response) => admit(request, response, {}),
    expect: (request, response) => admit(request, response, { expecting: true }),
    upgrade(request, socket, head) {
      const response = responseOn(socket, request)
      if (response !== undefined) admit(request, response, { head })
    },
    connect(request, socket) {
      const response = responseOn(socket, request)
      if (response !== undefined) refuseTunnel(request, response)
    },
    attach(server) {
      // Node would leave out all lines after the 2,000th without a word, and with them the framing
      // of a body or a second Host. Their size is bounded anyway.
      server.maxHeadersCount = 0
      server
        .on('request', proxy.handle)
        .on('checkContinue', proxy.expect)
        .on('upgrade', proxy.upgrade)
        .on('connect', proxy.connect)
    },
    close: (grace = 10_000) => forwarder.close(grace),
  }
  return proxy
}
