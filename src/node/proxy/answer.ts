import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Rendered } from '../../edge/problem/index.js'
import { endTogether } from './end-together.js'
import { discardRest } from './leftover.js'

/** An answer that this proxy gives itself. */
export interface Answer {
  readonly status: number
  readonly headers: Rendered['headers']
  readonly body: string
  readonly problem: { readonly title: string }
}

/** Sends an answer of this proxy, without its body for HEAD, and does not read the request's. */
export function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body, problem }: Answer,
): void {
  // "Error 521: Web server is down" without its number: Node has no reason phrases for 52x.
  const reason = problem.title.replace(/^Error [0-9]+: /, '').replace(/[^ -~]/g, '')
  response.writeHead(status, reason, headers.flat())
  discardRest(request, response)
  endTogether(response, request.method === 'HEAD' ? undefined : body)
}

/**
 * As Node's own parser answers what is no proper HTTP (400) and what does not come in time (408):
 * bare, and the connection is over.
 */
export function refuseBare(response: ServerResponse, status: 400 | 408): void {
  response.writeHead(status, { connection: 'close' }).end()
}

/**
 * Ends a response that cannot be completed, so that nobody takes it for a whole one. A chunked one
 * lacks its last chunk; any other is reset, since the end of the connection may be its proper end.
 */
export function breakOff(response: ServerResponse): void {
  const { socket } = response
  // Behind answers to pipelined requests its turn is still to come: since Node 24 it would stay open.
  if (socket === null) response.once('socket', (own) => own.destroy())
  if (response.chunkedEncoding || socket === null || 'encrypted' in socket) response.destroy()
  else socket.resetAndDestroy()
}
