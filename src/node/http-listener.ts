import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo, Server as PlainServer } from 'node:net'
import type { ListenAddress } from './listen-address.js'
import { quietServer } from './quiet-server.js'

/** Longer than the way to most clients and back: a request may be on it. */
const QUIET_MS = 200

/**
 * A long upload is no attack: only the head of a request has to come in time. Without a limit of
 * its own the head would get that of the whole request, which is none.
 */
export const httpServer = (): Server => quietServer({ requestTimeout: 0, headersTimeout: 60_000 })

/** A socket that this process inherited, bound to its address. */
export interface InheritedSocket {
  readonly fd: number
}

/** Listens, and gives the address as a URL. Rejects when it is taken. */
export function listening(
  server: PlainServer,
  address: ListenAddress | InheritedSocket,
): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => {
      server.off('error', reject)
      resolve(urlOf(server))
    })
  })
}

function urlOf(server: PlainServer): string {
  const { address, port, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Takes no new connections, lets open requests finish, and ends what is left after `graceMs`. */
export function closed(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = setTimeout(() => server.closeAllConnections(), graceMs)
    for (const event of ['request', 'checkContinue'])
      // A listener where there was none would change who answers.
      if (server.listenerCount(event) > 0) server.prependListener(event, endWithAnswer)
    // A connection that answered before is kept alive for more requests, which may not come.
    const idle = setInterval(() => server.closeIdleConnections(), QUIET_MS)
    server.close(() => {
      clearTimeout(end)
      clearInterval(idle)
      resolve()
    })
  })
}

/** Ends the connection of a request with its answer, which tells the client in time. */
const endWithAnswer = (_: unknown, response: ServerResponse) =>
  void (response.shouldKeepAlive = false)
