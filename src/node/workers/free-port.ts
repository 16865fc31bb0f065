import { createServer } from 'node:http'
import { closed, listening } from '../http-listener.js'
import type { ListenAddress } from '../listen-address.js'

/**
 * The same address with a port that is free where it had none: several processes, and those that
 * come after them, are to listen on one.
 */
export async function freePort({ host, port }: ListenAddress): Promise<ListenAddress> {
  if (port !== 0) return { host, port }
  const server = createServer()
  const url = await listening(server, { host, port })
  await closed(server, 0)
  return { host, port: Number(new URL(url).port) }
}
