import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** So many wait on one connection before no more are read from it; those that came with them still are. */
const MOST_WAITING = 100

const waiting = new WeakMap<Socket, Set<ServerResponse>>()

/**
 * Closes a response with its connection while it waits for its turn, behind earlier responses to
 * pipelined requests: Node tells only the one whose turn it is. A client may send hundreds of
 * requests at once, which is why they share a listener, and without end, which is why not all of
 * them are read while upstream is slow.
 */
export function closeWith(socket: Socket, response: ServerResponse): void {
  const others = waiting.get(socket)
  const all = others ?? new Set()
  all.add(response)
  if (all.size >= MOST_WAITING) socket.pause()
  response.once('socket', () => {
    all.delete(response)
    if (all.size === MOST_WAITING - 1) socket.resume()
  })
  if (others !== undefined) return
  waiting.set(socket, all)
  // Node reads on whenever an answer is finished.
  socket.on('resume', () => void (all.size >= MOST_WAITING && socket.pause()))
  socket.once('close', () => all.forEach(close))
}

function close(response: ServerResponse): void {
  response.destroy()
  response.emit('close')
}
