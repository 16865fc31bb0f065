import type { Span } from './cursor.js'
import { parse } from './parse.js'
import type { ExpressionNotice } from './predicate.js'
import { Reader } from './reader.js'
import { requestScheme } from './scheme.js'
import { textOf } from './value.js'

/** Where a token is in a request: a header by its lower-case name, or a cookie by its exact one. */
export interface TokenSource {
  readonly kind: 'header' | 'cookie'
  readonly name: string
  readonly expression: string
  readonly warnings: readonly ExpressionNotice[]
}

const KINDS: ReadonlyMap<string, TokenSource['kind']> = new Map([
  ['http.request.headers', 'header'],
  ['http.request.cookies', 'cookie'],
])
/** A field name of HTTP (RFC 9110, 5.6.2). */
export const HEADER_NAME: RegExp = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * Reads an entry of `token_sources` (specification 2.2), of which there are two shapes.
 *
 * @throws {ExpressionError}
 */
export function locate(expression: string): TokenSource {
  const r = new Reader(expression, requestScheme)
  const place = parse(r)
  const [key, first, more] = place.indexes ?? []
  const kind = KINDS.get(expression.slice(place.start, key?.start))
  const fail = (expected: string, span: Span): never =>
    r.fail('bad_source', `expected ${expected} here`, span, { expected })
  if (!kind || !key)
    return fail('http.request.headers["<name>"][0] or http.request.cookies["<name>"][0]', place)
  if (typeof key.at !== 'string' || first?.at !== 0 || more) {
    return fail('["<name>"][0]', { start: key.start, end: place.end })
  }
  if (!(kind === 'header' ? HEADER_NAME.test(key.at) : key.at)) fail(`the name of a ${kind}`, key)
  const name = kind === 'header' ? key.at.toLowerCase() : textOf(key.at)
  return { kind, name: asKey(name), expression, warnings: r.warnings }
}

/** The same text as engines keep those of keys: to compare or look up a part of a text takes longer. */
const asKey = (text: string): string => Object.keys(Object.fromEntries([[text, 0]]))[0]!
