import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Stands between a client and a database, and may say nothing any more. */
export interface SilentProxy {
  /** The address of the database by way of it. */
  readonly address: string
  /** While it is silent, connections stay and are taken, and nothing comes through. */
  silent(is: boolean): void
  close(): void
}

export async function silentProxy(address: string): Promise<SilentProxy> {
  const target = new URL(address)
  const sockets = new Set<Socket>()
  let isSilent = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket))
    if (isSilent) socket.pause()
  }
  const server = createServer((socket) => {
    const other = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      from.on('data', (data) => to.write(data)).once('close', () => to.destroy())
      keep(from)
    }
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const through = new URL(address)
  through.host = `127.0.0.1:${port}`
  return {
    address: through.href,
    silent(is) {
      isSilent = is
      for (const socket of sockets) {
        if (is) socket.pause()
        else socket.resume()
      }
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
