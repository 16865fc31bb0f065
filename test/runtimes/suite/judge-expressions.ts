import { compile, ExpressionError, type Scheme } from '../../../src/edge/expression/index.js'
import { scheme as world, token } from '../../edge/expression/world.js'
import type { Input } from './input.js'
import type { Line } from './judge-tokens.js'

/** The answer of every expression, or its error with place and frame. */
export function* judgeExpressions(input: Input): Generator<Line> {
  for (const { id, expression, scheme, values } of input.expressions) {
    yield [id, answer(expression, scheme, values)]
  }
  for (const { id, expression, values } of input.world) {
    yield [id, answer(expression, world, withBigInts(values))]
  }
}

function answer(source: string, scheme: Scheme, values: Readonly<Record<string, unknown>>): string {
  try {
    const predicate = compile(source, scheme)
    const { uses, warnings } = predicate
    return JSON.stringify([predicate.evaluate(values, token), uses, warnings])
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return JSON.stringify(['parse_error', error.code, error.start, error.end, error.frame])
  }
}

function withBigInts(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(values), (_name, value: unknown) =>
    typeof value === 'object' && value !== null && 'bigint' in value
      ? BigInt(String(value.bigint))
      : value,
  )
}
