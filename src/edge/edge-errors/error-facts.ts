import type { Facts, TokenState, Value } from '../expression/index.js'

const TYPES: ReadonlyMap<number, string> = new Map([
  [1006, 'ip_ban'],
  [1007, 'ip_ban'],
  [1008, 'ip_ban'],
  [1106, 'ip_ban'],
  [1015, 'ratelimit'],
  [1020, 'waf'],
])

/** Answers what expressions ask of an error and of the request that met it. */
export class ErrorFacts implements Facts {
  readonly #request: Facts
  readonly #code: number
  readonly #status: number

  constructor(request: Facts, code: number, status: number) {
    this.#request = request
    this.#code = code
    this.#status = status
  }

  field(name: string): Value | undefined {
    switch (name) {
      case 'http.response.code':
        return this.#status
      case 'cf.response.1xxx_code':
        return this.#code < 1000 ? 0 : this.#code
      case 'cf.response.error_type':
        return TYPES.get(this.#code) ?? (this.#code < 1000 ? '5xx' : '1xxx')
      default:
        return this.#request.field(name)
    }
  }

  token(): TokenState {
    return 'absent'
  }
}
