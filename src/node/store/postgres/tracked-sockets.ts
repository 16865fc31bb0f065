import { Socket } from 'node:net'

/** Sockets for a driver, which can be ended when their peers say nothing any more. */
export interface TrackedSockets {
  /** A new one, not connected. */
  open(): Socket
  /** Ends all that are still there. */
  destroy(): void
}

export function trackedSockets(): TrackedSockets {
  const sockets = new Set<Socket>()
  return {
    open() {
      const socket = new Socket()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      return socket
    },
    destroy() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
