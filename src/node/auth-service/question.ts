import type { IncomingMessage } from 'node:http'
import type { GateRequest } from '../../edge/index.js'
import { routeOf, type ProxiedRequest, type Route, type Trusts } from '../proxy/index.js'

/** Where a proxy's question says what the client asked for. */
export interface Told {
  readonly method: string
  readonly host: string
  readonly target: string
  /** Names, in lower case, of the lines that the proxy wrote: rules do not see them. */
  readonly hidden: ReadonlySet<string>
}

/** A client's request as a proxy tells of it. */
export class Question implements GateRequest, ProxiedRequest {
  readonly ray: string
  readonly method: string
  readonly host: string
  readonly target: string
  readonly #told: Told
  readonly #message: IncomingMessage
  readonly #trusts: Trusts
  #route: Route | undefined

  constructor(message: IncomingMessage, told: Told, trusts: Trusts, ray: string) {
    this.ray = ray
    this.method = told.method
    this.host = told.host
    this.target = told.target
    this.#told = told
    this.#message = message
    this.#trusts = trusts
  }

  get httpVersion(): string {
    return `HTTP/${this.#message.httpVersion}`
  }

  get ip(): string {
    return this.#way().ip
  }

  get secure(): boolean {
    return this.#way().secure
  }

  header(name: string): string | undefined {
    if (this.#told.hidden.has(name)) return undefined
    const { rawHeaders } = this.#message
    return name === 'cookie' ? joined(rawHeaders, name, '; ') : valuesOf(rawHeaders, name)[0]
  }

  *headers(): Generator<readonly [string, string]> {
    const { rawHeaders } = this.#message
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at] ?? ''
      if (!this.#told.hidden.has(name.toLowerCase())) yield [name, rawHeaders[at + 1] ?? '']
    }
  }

  /** All lines as one value, also of what is hidden. */
  all(name: string): string | undefined {
    return joined(this.#message.rawHeaders, name, ', ')
  }

  #way(): Route {
    const { socket } = this.#message
    const encrypted = 'encrypted' in socket && socket.encrypted === true
    const arrival = { remote: socket.remoteAddress, encrypted, host: this.host }
    return (this.#route ??= routeOf({ ...arrival, all: (name) => this.all(name) }, this.#trusts))
  }
}

/** The values of a header, in order. `lines` are names and values in turn. */
export function valuesOf(lines: readonly string[], name: string): readonly string[] {
  const values: string[] = []
  for (let at = 0; at < lines.length; at += 2) {
    const sent = lines[at] ?? ''
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(lines[at + 1] ?? '')
  }
  return values
}

function joined(lines: readonly string[], name: string, separator: string): string | undefined {
  const values = valuesOf(lines, name)
  return values.length < 2 ? values[0] : values.join(separator)
}
