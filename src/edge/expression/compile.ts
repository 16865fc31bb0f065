import { condition } from './condition.js'
import { plainFacts } from './plain-facts.js'
import type { Predicate } from './predicate.js'
import { fieldsOf, requestScheme } from './scheme.js'
import type { Scheme } from './scheme.js'

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
  const made = condition(source, scheme)
  const fields = fieldsOf(scheme)
  return {
    ...made,
    evaluate: (values, token) => made.test(plainFacts(values, fields, token)),
  }
}
