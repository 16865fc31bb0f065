import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

const keep = (): void => undefined

/** Takes the connection away from its response, to be used for something else than HTTP. */
export function takeOver(response: ServerResponse): Socket | null {
  const { socket } = response
  if (socket === null) return null
  response.detachSocket(socket)
  return socket.off('readable', keep)
}

/**
 * A response for a connection that Node took off its parser (CONNECT, Upgrade); the connection
 * ends with it. Undefined when an earlier, pipelined request is still being answered there.
 *
 * @param stream the connection; since Node 26, what comes behind a body that is still to come
 */
export function responseOn(stream: Duplex, request: IncomingMessage): ServerResponse | undefined {
  const { socket } = request
  for (const end of new Set([stream, socket])) end.on('error', () => socket.destroy())
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  try {
    response.assignSocket(socket)
  } catch {
    socket.destroy()
    return undefined
  }
  // Node's own listeners that did all this left together with its parser.
  socket.on('drain', () => response.emit('drain'))
  // Only who reads learns that the client is gone. What it says meanwhile stays in the buffer.
  socket.on('readable', keep).once('end', () => response.socket && socket.destroy())
  response.once('finish', () => {
    response.detachSocket(socket)
    socket.destroySoon()
  })
  return response
}
