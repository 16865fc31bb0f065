import { check } from './check.js'
import { close } from './closure.js'
import { createContext, usesOf } from './context.js'
import { parse } from './parse.js'
import { plainFacts } from './plain-facts.js'
import type { Predicate } from './predicate.js'
import { requestScheme } from './scheme.js'
import type { Scheme } from './scheme.js'
import { createTrace } from './trace.js'
import { worldOf } from './world.js'

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
  const world = worldOf(scheme)
  const context = createContext(source, world)
  const root = check(parse(source, world.maxNesting), context)
  const ask = close(root, (_, part) => part)
  return {
    source,
    uses: usesOf(context),
    warnings: context.warnings,
    test: (facts) => ask(facts) === true,
    evaluate: (values, token) => ask(plainFacts(values, world.fields, token)) === true,
    trace: createTrace(root, source),
  }
}
