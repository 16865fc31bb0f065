import { build } from './node.js'
import { parse, truth } from './parse.js'
import type { Condition } from './predicate.js'
import { Reader } from './reader.js'
import type { Scheme } from './scheme.js'

/**
 * The part of `compile` that deciding needs: a gate has facts and no plain values.
 *
 * @throws {ExpressionError} for a text that is no expression over the scheme
 * @throws {TypeError} for a scheme with types or list items that the language does not have
 */
export function condition(source: string, scheme: Scheme): Condition {
  const r = new Reader(source, scheme)
  const root = truth(r, parse(r))
  if (root.type !== 'Bool') r.wrong('type_mismatch', 'Bool, as of any() or all()', root, root.type)
  if (r.faulty) throw r.faulty
  const ask = build(root)
  const { uses, warnings } = r
  return { source, root, uses, warnings, test: (facts) => ask(facts) === true }
}
