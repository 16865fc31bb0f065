import type { CryptoBackend } from '../../../src/edge/token/index.js'
import type { Input } from './input.js'
import { judgeAnswers } from './judge-answers.js'
import { judgeDecisions } from './judge-decisions.js'
import { judgeExpressions } from './judge-expressions.js'
import { judgeTokens } from './judge-tokens.js'

export { webCrypto } from '../../../src/edge/token/index.js'

/**
 * Runs every case with each backend and prints what came of it, one JSON array a line:
 * `[door, id, verdict]` for a case, and `[door, milliseconds]` at the end of each backend.
 *
 * @param text the input as JSON
 * @param doors makes of backends, by the name of where they are from
 */
export async function runSuite(
  text: string,
  doors: Readonly<Record<string, () => CryptoBackend>>,
): Promise<void> {
  const input: Input = JSON.parse(text)
  for (const [door, make] of Object.entries(doors)) {
    const started = performance.now()
    const crypto = make()
    const parts = [
      judgeTokens(input, crypto),
      judgeDecisions(input, crypto),
      judgeExpressions(input),
      judgeAnswers(input),
    ]
    for (const part of parts) {
      for await (const line of part) console.log(JSON.stringify([door, ...line]))
    }
    console.log(JSON.stringify([door, performance.now() - started]))
  }
}
