/** Where a server listens. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/** Whether only this machine reaches it. */
export const isLoopback = ({ host }: ListenAddress): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|::1)$/i.test(host)

/**
 * Reads `HOST:PORT`, `:PORT`, `PORT` or `[IPv6]:PORT`; undefined when it is none. A missing host
 * is the loopback interface: nothing is opened to the network by accident.
 */
export function listenAddress(text: string): ListenAddress | undefined {
  const [, bracketed, bare, digits] =
    /^(?:(?:\[([^\]]+)\]|([^:[\]]*)):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === undefined || port > 65535) return undefined
  const host = bracketed ?? bare ?? ''
  return { host: host === '' ? '127.0.0.1' : host, port }
}
