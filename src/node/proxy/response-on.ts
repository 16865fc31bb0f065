import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * A response for a connection that Node took off its parser (CONNECT, Upgrade); the connection
 * ends with it. Undefined when an earlier, pipelined request is still being answered there.
 */
export function responseOn(socket: Duplex, request: IncomingMessage): ServerResponse | undefined {
  socket.on('error', () => socket.destroy())
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  try {
    response.assignSocket(socket as Socket)
  } catch {
    socket.destroy()
    return undefined
  }
  // Node's own listeners that did this left together with its parser.
  socket.on('drain', () => response.emit('drain'))
  response.once('finish', () => {
    response.detachSocket(socket as Socket)
    ;(socket as Socket).destroySoon()
  })
  return response
}
