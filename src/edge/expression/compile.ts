import { build } from './node.js'
import { parse, truth } from './parse.js'
import { plainFacts } from './plain-facts.js'
import type { Predicate } from './predicate.js'
import { Reader } from './reader.js'
import { requestScheme } from './scheme.js'
import type { Scheme } from './scheme.js'
import { createTrace } from './trace.js'

/**
 * Turns an expression of the Rules language into a predicate: parsed, typed and made closures once,
 * asked often.
 *
 * @example
 * const isRead = compile('http.request.method in {"GET" "HEAD"} and is_jwt_valid("a")')
 * isRead.evaluate({ 'http.request.method': 'GET' }, () => 'valid') // true
 *
 * @throws {ExpressionError} for a text that is no expression over the scheme
 * @throws {TypeError} for a scheme with types or list items that the language does not have
 */
export function compile(source: string, scheme: Scheme = requestScheme): Predicate {
  const r = new Reader(source, scheme)
  const root = truth(r, parse(r))
  if (root.type !== 'Bool') r.wrong('type_mismatch', 'Bool, as of any() or all()', root, root.type)
  if (r.faulty) throw r.faulty
  const ask = build(root)
  const { uses, warnings, fields } = r
  return {
    source,
    uses,
    warnings,
    test: (facts) => ask(facts) === true,
    evaluate: (values, token) => ask(plainFacts(values, fields, token)) === true,
    trace: createTrace(root, source),
  }
}
