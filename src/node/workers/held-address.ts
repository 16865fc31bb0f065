import { lookup } from 'node:dns/promises'
import net from 'node:net'
import { getSystemErrorMap } from 'node:util'
import type { ListenAddress } from '../listen-address.js'

/** An address that is taken, though nobody answers there yet. */
export interface HeldAddress {
  /** Of the socket, for other processes to inherit: connections wait in it for whoever takes them. */
  readonly fd: number
  /** From now on it is theirs alone, and free when the last of them is gone. */
  release(): void
}

/**
 * Takes an address for other processes, and holds it while one of them is replaced by another: what
 * connects in the meantime waits instead of being refused.
 *
 * @throws {Error} as `listen` does, such as EADDRINUSE, as a rejection
 */
export async function holdAddress({ host, port }: ListenAddress): Promise<HeldAddress> {
  const { address, family } = await lookup(host)
  const handle = boundHandle(address, port, family)
  // What bind found wrong may be told only when the address is asked for.
  const fault = typeof handle === 'number' ? handle : handle.getsockname({})
  if (typeof handle === 'number' || fault !== 0) throw listenError(fault, host, port)
  return { fd: handle.fd, release: () => handle.close() }
}

/** The part of Node's own socket that is used. Methods give 0, or a fault of the system. */
interface Handle {
  readonly fd: number
  getsockname(into: object): number
  close(): void
}

/**
 * A socket that is bound and takes no connections, or a fault of the system. Everything of `net` that
 * is documented begins to take them at once; this is what `cluster` makes its sockets with.
 */
function boundHandle(address: string, port: number, family: number): Handle | number {
  const bind: unknown = Reflect.get(net, '_createServerHandle')
  if (typeof bind !== 'function')
    throw new TypeError(`Node ${process.version} cannot hold an address for workers`)
  const made: unknown = bind(address, port, family, -1, 0)
  if (typeof made === 'number' || isHandle(made)) return made
  throw new TypeError(`Node ${process.version} holds addresses in a way that is not known`)
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' &&
  value !== null &&
  'fd' in value &&
  typeof value.fd === 'number' &&
  'getsockname' in value &&
  'close' in value

/** With what `listen` itself would tell. */
function listenError(fault: number, address: string, port: number): Error {
  const [code, text] = getSystemErrorMap().get(fault) ?? ['UNKNOWN', `error ${fault}`]
  const error = new Error(`listen ${code}: ${text} ${address}:${port}`)
  return Object.assign(error, { code, syscall: 'listen', address, port })
}
