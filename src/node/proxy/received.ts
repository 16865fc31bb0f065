import type { IncomingMessage } from 'node:http'
import type { GateRequest } from '../../edge/index.js'
import { authorityTarget } from './authority-target.js'
import { routeOf, type Route } from './forwarded.js'
import { HeaderLines } from './header-lines.js'
import type { Trusts } from './peers.js'

/** A request as it came: what the gate judges and what is sent on are read from the same lines. */
export class Received extends HeaderLines implements GateRequest {
  readonly method: string
  readonly host: string
  readonly target: string
  /** Such as `1.1`. */
  readonly version: string
  readonly route: Route

  constructor(message: IncomingMessage, { host, target, lines }: Addressed, trusts: Trusts) {
    super(lines)
    this.method = message.method ?? ''
    this.version = message.httpVersion
    this.host = host
    this.target = target
    const { socket } = message
    const encrypted = 'encrypted' in socket && socket.encrypted === true
    const remote = socket.remoteAddress
    this.route = routeOf({ remote, encrypted, host, all: (name) => this.all(name) }, trusts)
  }

  get httpVersion(): string {
    return `HTTP/${this.version}`
  }

  get ip(): string {
    return this.route.ip
  }

  get secure(): boolean {
    return this.route.secure
  }

  header(name: string): string | undefined {
    return name === 'cookie' ? this.all(name, '; ') : this.first(name)
  }

  *headers(): Generator<readonly [string, string]> {
    const { lines } = this
    for (let at = 0; at < lines.length; at += 2) yield [lines[at] ?? '', lines[at + 1] ?? '']
  }

  /** True when the message is framed to carry a body, an empty chunked one included. */
  get hasBody(): boolean {
    const length = this.first('content-length')
    return this.find('transfer-encoding') >= 0 || (length !== undefined && !/^0+$/.test(length))
  }
}

interface Addressed {
  readonly host: string
  readonly target: string
  readonly lines: readonly string[]
}

/**
 * Reads a request, or gives undefined for one that Node's parser lets through although servers
 * read it in different ways: several Host lines, none in HTTP/1.1, a target of no known form
 * (RFC 9112 section 3.2), or a transfer coding in HTTP/1.0, which has none (section 6.1). An
 * absolute-form target replaces Host, for the gate and for upstream.
 */
export function receive(message: IncomingMessage, trusts: Trusts): Received | undefined {
  const { rawHeaders, url = '' } = message
  const hosts = hostLines(rawHeaders)
  if (hosts.length > 1) return undefined
  const host = hosts[0] === undefined ? undefined : (rawHeaders[hosts[0] + 1] ?? '')
  if (message.httpVersionMinor > 0 ? host === undefined : isCoded(message)) return undefined
  if (url.startsWith('/') || (url === '*' && message.method === 'OPTIONS')) {
    return new Received(message, { host: host ?? '', target: url, lines: rawHeaders }, trusts)
  }
  if (message.method === 'CONNECT') {
    return new Received(message, { host: host ?? url, target: url, lines: rawHeaders }, trusts)
  }
  const absolute = authorityTarget(url, message.method)
  if (absolute === undefined) return undefined
  const lines = [...rawHeaders]
  lines.splice(hosts[0] ?? 0, hosts.length * 2, 'Host', absolute.host)
  return new Received(message, { ...absolute, lines }, trusts)
}

const isCoded = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined

function hostLines(lines: readonly string[]): number[] {
  const found: number[] = []
  for (let at = 0; at < lines.length; at += 2) {
    const name = lines[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') found.push(at)
  }
  return found
}
