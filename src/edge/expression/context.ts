import { ExpressionError, positionOf } from './error.js'
import type { ErrorDetail, ExpressionErrorCode } from './error.js'
import type { ExpressionNotice, Uses } from './predicate.js'
import type { World } from './world.js'
import type { Span } from './syntax.js'

/** What the checking of one expression reads and gathers. */
export interface Context {
  readonly source: string
  readonly world: World
  readonly fields: Set<string>
  readonly functions: Set<string>
  readonly configurations: Set<string>
  readonly lists: Set<string>
  readonly warnings: ExpressionNotice[]
  everyConfiguration: boolean
}

/** A context with nothing gathered. */
export function createContext(source: string, world: World): Context {
  return {
    source,
    world,
    fields: new Set(),
    functions: new Set(),
    configurations: new Set(),
    lists: new Set(),
    warnings: [],
    everyConfiguration: false,
  }
}

/** Ends the compilation with an error at a place. */
export function fail(
  context: Context,
  code: ExpressionErrorCode,
  message: string,
  { start, end }: Span,
  detail?: ErrorDetail,
): never {
  throw new ExpressionError(code, message, context.source, start, end, detail)
}

/** Ends the compilation with an error that says what should be at a place instead. */
export function mismatch(
  code: ExpressionErrorCode,
  expected: string,
  at: Span,
  context: Context,
  found: string = context.source.slice(at.start, at.end),
): never {
  const message = `expected ${expected}, found ${found}`
  return fail(context, code, message, at, { expected, found })
}

/** Notes what is legal and perhaps not meant. */
export function warn(
  context: Context,
  code: ExpressionNotice['code'],
  message: string,
  { start, end }: Span,
): void {
  context.warnings.push({ code, message, start, end, ...positionOf(context.source, start) })
}

/** What the expression was found to read. */
export function usesOf(context: Context): Uses {
  const { fields, functions, configurations, lists, everyConfiguration } = context
  return {
    fields: [...fields],
    functions: [...functions],
    configurations: [...configurations],
    lists: [...lists],
    everyConfiguration,
  }
}
