import type { GateRequest } from '../../edge/index.js'
import {
  routeOf,
  type HeaderLines,
  type ProxiedRequest,
  type Route,
  type Trusts,
} from '../proxy/index.js'

/** What a proxy's question says: its client's request, and how the question came. */
export interface Told {
  readonly method: string
  readonly host: string
  readonly target: string
  /** `HTTP/1.1`; undefined where a proxy does not tell its client's. */
  readonly httpVersion: string | undefined
  /** Of their Host lines only `host` is meant. */
  readonly head: HeaderLines
  /** Names, in lower case, of the lines that the proxy wrote: rules do not see them. */
  readonly hidden: ReadonlySet<string>
  /** Address of the proxy that asks. */
  readonly remote: string | undefined
  readonly encrypted: boolean
}

/** A client's request as a proxy tells of it. */
export class Question implements GateRequest, ProxiedRequest {
  readonly ray: string
  readonly method: string
  readonly host: string
  readonly target: string
  readonly #told: Told
  readonly #trusts: Trusts
  #route: Route | undefined

  constructor(told: Told, trusts: Trusts, ray: string) {
    this.ray = ray
    this.method = told.method
    this.host = told.host
    this.target = told.target
    this.#told = told
    this.#trusts = trusts
  }

  get httpVersion(): string | undefined {
    return this.#told.httpVersion
  }

  get ip(): string {
    return this.#way().ip
  }

  get secure(): boolean {
    return this.#way().secure
  }

  header(name: string): string | undefined {
    const { hidden, head, host } = this.#told
    if (hidden.has(name)) return undefined
    if (name === 'host') return host
    return name === 'cookie' ? head.all(name, '; ') : head.first(name)
  }

  *headers(): Generator<readonly [string, string]> {
    const { hidden, head, host } = this.#told
    yield ['host', host]
    for (const [at, { name, sent }] of head.names.entries())
      if (name !== 'host' && !hidden.has(name)) yield [sent, head.lines[2 * at + 1] ?? '']
  }

  /** All lines as one value, also of what is hidden. */
  all(name: string): string | undefined {
    return this.#told.head.all(name)
  }

  #way(): Route {
    const { remote, encrypted, host } = this.#told
    const arrival = { remote, encrypted, host, all: (name: string) => this.all(name) }
    return (this.#route ??= routeOf(arrival, this.#trusts))
  }
}
