import type { GateRequest } from '../../edge/index.js'
import { routeOf, type ProxiedRequest, type Route, type Trusts } from '../proxy/index.js'

/** What a proxy's question says: its client's request, and how the question came. */
export interface Told {
  readonly method: string
  readonly host: string
  readonly target: string
  /** `HTTP/1.1`; undefined where a proxy does not tell its client's. */
  readonly httpVersion: string | undefined
  /** Names and values in turn, one character per byte. */
  readonly lines: readonly string[]
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
    const { hidden, lines } = this.#told
    if (hidden.has(name)) return undefined
    return name === 'cookie' ? joined(lines, name, '; ') : valuesOf(lines, name)[0]
  }

  *headers(): Generator<readonly [string, string]> {
    const { hidden, lines } = this.#told
    for (let at = 0; at < lines.length; at += 2) {
      const name = lines[at] ?? ''
      if (!hidden.has(name.toLowerCase())) yield [name, lines[at + 1] ?? '']
    }
  }

  /** All lines as one value, also of what is hidden. */
  all(name: string): string | undefined {
    return joined(this.#told.lines, name, ', ')
  }

  #way(): Route {
    const { remote, encrypted, host } = this.#told
    const arrival = { remote, encrypted, host, all: (name: string) => this.all(name) }
    return (this.#route ??= routeOf(arrival, this.#trusts))
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
