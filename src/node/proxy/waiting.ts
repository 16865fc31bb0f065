import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const waiting = new WeakMap<Socket, Set<ServerResponse>>()

/**
 * Closes a response with its connection while it waits for its turn, behind earlier responses to
 * pipelined requests: Node tells only the one whose turn it is. A client may send hundreds of
 * requests at once, which is why they share a listener.
 */
export function closeWith(socket: Socket, response: ServerResponse): void {
  const others = waiting.get(socket)
  const all = others ?? new Set()
  all.add(response)
  response.once('socket', () => all.delete(response))
  if (others !== undefined) return
  waiting.set(socket, all)
  socket.once('close', () => all.forEach(close))
}

function close(response: ServerResponse): void {
  response.destroy()
  response.emit('close')
}
