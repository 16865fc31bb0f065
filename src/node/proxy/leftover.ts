import type { IncomingMessage, ServerResponse } from 'node:http'

// What a client may still send after its answer before the connection is cut.
const BYTES = 1024 * 1024
const MILLISECONDS = 5_000

/**
 * Deals with the rest of a request body that nobody wants any more: it is read and thrown away
 * within limits, so that the client gets to read its answer (closing at once would reset the
 * connection under it); beyond them the connection is closed. Call it before `response.end`.
 */
export function discardRest(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed) return
  let left = BYTES
  const cut = () => {
    request.pause()
    if (response.writableFinished) request.socket.destroySoon()
    else response.once('finish', () => request.socket.destroySoon())
  }
  const timer = setTimeout(cut, MILLISECONDS).unref()
  const settle = () => clearTimeout(timer)
  request.once('end', settle).once('close', settle)
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) cut()
  })
  request.resume()
  // Marks the message as read: else Node itself would throw the rest away, without any limit.
  request.read(0)
}
