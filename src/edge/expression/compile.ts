import type { Predicate } from './predicate.js'
import { requestScheme } from './scheme.js'
import type { Scheme } from './scheme.js'

/** Turns a text into a predicate. */
export function compile(source: string, scheme: Scheme = requestScheme): Predicate {
  throw new TypeError(`not built yet: ${source} ${scheme.fields}`)
}
