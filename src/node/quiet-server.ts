import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'

/**
 * A server that closes idle connections, as it does when it ends, once all have been quiet from one
 * call to the next. To Node one is idle that still sends the end of an answer, or whose client has
 * just sent its next request: both would be broken off.
 */
export function quietServer(options: ServerOptions, listener?: RequestListener): Server {
  const server = createServer(options, listener)
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const closeIdle = server.closeIdleConnections.bind(server)
  let before: number | undefined
  server.closeIdleConnections = () => {
    let [sending, traffic] = [false, 0]
    for (const { writableLength, bytesRead, bytesWritten } of open) {
      sending ||= writableLength > 0
      traffic += bytesRead + bytesWritten
    }
    if (!sending && traffic === before) closeIdle()
    before = traffic
  }
  return server
}
