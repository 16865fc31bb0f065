import { createContext, fail, warn } from './context.js'
import { parse } from './parse.js'
import { nameOf } from './names.js'
import type { ExpressionNotice } from './predicate.js'
import { requestScheme } from './scheme.js'
import { textOf } from './value.js'
import { worldOf } from './world.js'

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
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const SHAPES = 'http.request.headers["<name>"][0] or http.request.cookies["<name>"][0]'

/**
 * Reads an entry of `token_sources` (specification 2.2), of which there are two shapes.
 *
 * @throws {ExpressionError}
 */
export function locate(expression: string): TokenSource {
  const world = worldOf(requestScheme)
  const context = createContext(expression, world)
  const node = parse(expression, world.maxNesting)
  const place = node.kind === 'comparison' && !node.operator ? node.left : node
  const kind = place.kind === 'field' ? KINDS.get(place.name) : undefined
  if (place.kind !== 'field' || !kind) {
    return fail(context, 'bad_source', `a token is at ${SHAPES}`, node, { expected: SHAPES })
  }
  const [key, first, more] = place.indexes
  if (typeof key?.at !== 'string' || first?.at !== 0 || more) {
    const at = { start: nameOf(place).end, end: place.end }
    return fail(context, 'bad_source', `expected ["<name>"][0] here`, at, { expected: SHAPES })
  }
  if (!(kind === 'header' ? TOKEN.test(key.at) : key.at)) {
    return fail(context, 'bad_source', `this is no name of a ${kind}`, key)
  }
  if (kind === 'cookie') return { kind, name: textOf(key.at), expression, warnings: [] }
  const name = key.at.toLowerCase()
  if (name !== key.at) {
    const message = `header names are lower-case here, this is read as ${name}`
    warn(context, 'upper_case_header', message, key)
  }
  return { kind, name, expression, warnings: context.warnings }
}
