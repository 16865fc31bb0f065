import type { Input } from '../suite/input.js'
import type { KeyCases } from './case-of-key.js'
import { ecCases } from './ec-cases.js'
import { randomAccepts, randomDecisions, randomExpressions } from './random-decisions.js'
import { randomTokens } from './random-tokens.js'
import { rsaCases } from './rsa-cases.js'
import { secretCases } from './secret-cases.js'
import { vectorsIn } from './vectors.js'

/**
 * Everything that the runtimes are asked. Shapes follow from the seed, keys and so signatures are
 * fresh each time: what differs is told with the case itself.
 *
 * @param vectors the folder of the shared vectors; without it the project's own cases remain
 */
export function makeInput(vectors: URL, seed: number): { input: Input; hasVectors: boolean } {
  const shared = vectorsIn(vectors)
  const keyed = [rsaCases(), ecCases(), secretCases(), randomTokens(3000, seed), shared ?? NONE]
  return {
    hasVectors: shared !== undefined,
    input: {
      keySets: Object.assign({}, ...keyed.map(({ keySets }) => keySets)),
      tokens: keyed.flatMap(({ tokens }) => tokens),
      decisions: randomDecisions(1000, seed),
      expressions: shared?.expressions ?? [],
      world: randomExpressions(1500, seed),
      accepts: [...randomAccepts(300, seed), ...(shared?.accepts ?? [])],
    },
  }
}

const NONE: KeyCases = { keySets: {}, tokens: [] }
