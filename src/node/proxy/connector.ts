import { isIP, type LookupFunction, type Socket } from 'node:net'
import { buildConnector } from 'undici'

/** How upstream's TLS is checked; as in `node:tls`. */
export interface UpstreamTls {
  readonly ca?: string | Buffer | readonly (string | Buffer)[]
  readonly cert?: string | Buffer
  readonly key?: string | Buffer
  /** Name sent and verified instead of the host name of the origin. */
  readonly servername?: string
  readonly rejectUnauthorized?: boolean
}

export interface ConnectorOptions {
  /** Milliseconds for the TCP and TLS handshakes together. */
  readonly timeout: number
  readonly tls?: UpstreamTls | undefined
  readonly lookup?: LookupFunction | undefined
}

/** TLS failed on an established TCP connection. */
export class HandshakeError extends Error {
  override readonly name = 'HandshakeError'
  readonly code: string

  constructor(cause: Error) {
    super(cause.message, { cause })
    this.code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  }
}

// Node refuses a few options outright (`ca` of a wrong type, say): also a failure to connect.
type Connect = (options: buildConnector.Options, callback: buildConnector.Callback) => unknown

/**
 * Makes connections upstream. A failure after the TCP handshake of a TLS connection comes as
 * HandshakeError, so that a refused connection is told from a refused certificate.
 */
export function connector({ timeout, tls, lookup }: ConnectorOptions): buildConnector.connector {
  const { ca, servername: fixedName, ...rest } = tls ?? {}
  const connect: Connect = buildConnector({
    ...rest,
    ...(ca !== undefined && { ca: typeof ca === 'object' && !Buffer.isBuffer(ca) ? [...ca] : ca }),
    ...(lookup && { lookup }),
    timeout,
  } as buildConnector.BuildOptions)
  return (options, callback) => {
    const secure = options.protocol === 'https:'
    let reached = false
    const name = fixedName ?? (isIP(options.hostname) === 0 ? options.hostname : '')
    const target = { ...options, servername: name }
    const socket = connect(target, (...[error, established]: buildConnector.CallbackArgs) => {
      if (error === null) callback(null, established)
      else callback(secure && reached ? new HandshakeError(error) : error, null)
    })
    if (secure) (socket as Socket).once('connect', () => (reached = true))
  }
}
