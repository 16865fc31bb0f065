import fc from 'fast-check'
import { decisions } from '../../edge/gate/arbitraries.js'
import { NOW } from '../../edge/gate/zone-fixture.js'
import { expressions, records } from '../../edge/expression/expressions.js'
import type { AcceptCase, DecisionCase, WorldCase } from '../suite/input.js'

/** So many policies, each with a request. */
export function randomDecisions(count: number, seed: number): readonly DecisionCase[] {
  return fc.sample(decisions, { numRuns: count, seed }).map(({ policy, request }, index) => {
    const { method, host, target } = request
    return {
      id: `random-decision/${index}`,
      policy,
      request: { method, host, target, lines: [...request.headers()] },
      now: NOW,
    }
  })
}

const broken = fc
  .tuple(
    expressions.bool,
    fc.nat(),
    fc.constantFrom('(', '"', '\\', ' and', '[', '{', 'é', '$', '9'),
  )
  .map(([source, place, junk]) => {
    const at = place % (source.length + 1)
    return source.slice(0, at) + junk + source.slice(at)
  })

/** So many expressions with values, one in five of them with an error most likely. */
export function randomExpressions(count: number, seed: number): readonly WorldCase[] {
  const cases = fc.tuple(
    fc.oneof({ weight: 4, arbitrary: expressions.bool }, { weight: 1, arbitrary: broken }),
    records,
  )
  return fc.sample(cases, { numRuns: count, seed }).map(([expression, values], index) => ({
    id: `random-expression/${index}`,
    expression,
    values: JSON.parse(
      JSON.stringify(values, (_name, value: unknown) =>
        typeof value === 'bigint' ? { bigint: String(value) } : value,
      ),
    ) as Record<string, unknown>,
  }))
}

const range = fc
  .tuple(
    fc.constantFrom(
      '*/*',
      'text/*',
      'application/*',
      'text/html',
      'application/json',
      'text/markdown',
      'application/problem+json',
      'TEXT/HTML',
      'image/png',
      'text /html',
      '"',
      '',
    ),
    fc.constantFrom('', ';q=0', ';q=0.5', '; Q=0.900', ';q=1.0000', ';q=2', ';a="b,;";q=.3', ';q'),
  )
  .map((parts) => parts.join(''))

/** So many Accept headers, right and wrong ones. */
export function randomAccepts(count: number, seed: number): readonly AcceptCase[] {
  const headers = fc
    .tuple(fc.array(range, { maxLength: 5 }), fc.constantFrom(',', ', ', '\t,', ',,'))
    .map(([ranges, separator]) => ranges.join(separator))
  return fc
    .sample(headers, { numRuns: count, seed })
    .map((accept, index) => ({ id: `random-accept/${index}`, accept }))
}
