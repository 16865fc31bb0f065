import { explanation } from '../../../src/edge/gate/explain.js'
import { createGate, PolicyError } from '../../../src/edge/index.js'
import { NodeGateRequest } from '../../../src/edge/embed/index.js'
import type { CryptoBackend } from '../../../src/edge/token/index.js'
import type { DecisionCase, Input } from './input.js'
import type { Line } from './judge-tokens.js'

/** Whole decisions, each with its explanation, or why a policy does not compile. */
export async function* judgeDecisions(
  { decisions }: Input,
  crypto: CryptoBackend,
): AsyncGenerator<Line> {
  for (const each of decisions) yield [each.id, JSON.stringify(await judge(each, crypto))]
}

async function judge(
  { policy, request, now }: DecisionCase,
  crypto: CryptoBackend,
): Promise<unknown> {
  try {
    const gate = createGate(policy, { crypto, now: () => now, explanation })
    const asked = new NodeGateRequest({
      method: request.method,
      url: request.target,
      httpVersion: '1.1',
      rawHeaders: ['Host', request.host, ...request.lines.flat()],
    })
    const decision = await gate.decide(asked)
    const { target, challenge } = decision
    return [decision, target, challenge, await gate.explain(asked), gate.notices]
  } catch (error) {
    if (error instanceof PolicyError) return error.issues
    throw error
  }
}
