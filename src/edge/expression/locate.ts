import type { ExpressionNotice } from './predicate.js'

/** Where a token is in a request: a header by its lower-case name, or a cookie by its exact one. */
export interface TokenSource {
  readonly kind: 'header' | 'cookie'
  readonly name: string
  readonly expression: string
  readonly warnings: readonly ExpressionNotice[]
}

/** Reads an entry of `token_sources`. */
export function locate(expression: string): TokenSource {
  throw new TypeError(`not built yet: ${expression}`)
}
