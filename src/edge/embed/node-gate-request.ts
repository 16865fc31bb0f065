import type { GateRequest } from '../gate/index.js'

/** The part of Node's `IncomingMessage` that the gate reads. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly httpVersion: string
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[]
  readonly socket?: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean }
}

/** Facts that only a trusted proxy in front may know better than the connection. */
export interface NodeRequestFacts {
  readonly ip?: string | undefined
  readonly secure?: boolean | undefined
  /** The host, when another than the Host header counts. */
  readonly host?: string | undefined
  /** The URL, when the request's is only a part of it. */
  readonly url?: string | undefined
}

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i

/** A request of `node:http`, Express or Connect as the gate sees it, read from its raw headers. */
export class NodeGateRequest implements GateRequest {
  readonly method: string
  readonly host: string
  readonly target: string
  readonly secure: boolean
  readonly ip?: string
  readonly #request: NodeRequest

  constructor(request: NodeRequest, facts: NodeRequestFacts = {}) {
    this.#request = request
    this.method = request.method ?? 'GET'
    const url = facts.url ?? request.url ?? '/'
    const absolute = url.charCodeAt(0) === 47 ? null : ABSOLUTE_FORM.exec(url)
    // RFC 9112 3.2.2: the authority of an absolute target counts, the Host header does not.
    const named = request.httpVersion === '2.0' ? ':authority' : 'host'
    this.host = absolute?.[1] ?? facts.host ?? this.header(named) ?? this.header('host') ?? ''
    this.target = absolute === null ? url : rooted(url.slice(absolute[0].length))
    this.secure = facts.secure ?? request.socket?.encrypted === true
    const ip = facts.ip ?? request.socket?.remoteAddress?.replace(/^::ffff:(?=[0-9.]+$)/, '')
    if (ip !== undefined) this.ip = ip
  }

  get httpVersion(): string {
    return `HTTP/${this.#request.httpVersion}`
  }

  header(name: string): string | undefined {
    const { rawHeaders } = this.#request
    let cookies: string | undefined
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const sent = rawHeaders[at] as string
      if (sent.length !== name.length || sent.toLowerCase() !== name) continue
      const value = rawHeaders[at + 1] as string
      if (name !== 'cookie') return value
      cookies = cookies === undefined ? value : `${cookies}; ${value}`
    }
    return cookies
  }

  *headers(): Generator<readonly [string, string]> {
    const { rawHeaders } = this.#request
    for (let at = 0; at < rawHeaders.length; at += 2) {
      yield [rawHeaders[at] as string, rawHeaders[at + 1] as string]
    }
  }
}

const rooted = (target: string): string => (target.startsWith('/') ? target : `/${target}`)
