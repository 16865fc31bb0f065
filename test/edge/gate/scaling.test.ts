import { expect, test } from 'vitest'
import type { Decision, GateRequest, Zone } from '../../../src/edge/index.js'
import { ask, bearer, configuration, gateOf, HS, RULE, tokenOf } from './zone-fixture.js'

const ROUNDS = 25
const BATCH = 2000

function zoneOf(operations: number, rules: number): Zone {
  const host = (at: number) => `h${at % rules}.example.com`
  return {
    id: 'zone',
    name: 'example.com',
    token_configurations: [configuration('A', [HS])],
    operations: Array.from({ length: operations }, (_, at) => ({
      operation_id: `op-${at}`,
      method: 'GET',
      host: host(at),
      endpoint: `/v1/things${at}/{id}`,
    })),
    rules: Array.from({ length: rules }, (_, at) => ({
      ...RULE,
      id: `rule-${at}`,
      selector: { include: [{ host: host(at) }] },
    })),
  }
}

/** Decides about operations in turn; gives microseconds of CPU time for a batch. */
function worker(policy: Zone): () => number {
  const gate = gateOf(policy)
  const lines = [bearer(tokenOf(HS))]
  const requests: readonly GateRequest[] = (policy.operations ?? []).map(({ host, endpoint }) =>
    ask({ host, target: endpoint.replace('{id}', '42'), lines }),
  )
  const decide = (at: number): Decision => gate.decide(requests[at % requests.length]!)
  for (let at = 0; at < requests.length; at++) expect(decide(at).action).toBe('pass')
  return () => {
    const start = process.cpuUsage()
    for (let at = 0; at < BATCH; at++) decide(at)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
}

test(
  'a decision among 1,000 operations and 200 rules costs at most 1.3 times one among 10 and 2',
  { retry: 3 },
  () => {
    const small = worker(zoneOf(10, 2))
    const large = worker(zoneOf(1000, 200))
    const best = { small: Infinity, large: Infinity }
    for (let round = 0; round < ROUNDS; round++) {
      best.small = Math.min(best.small, small())
      best.large = Math.min(best.large, large())
    }
    expect(best.large / best.small).toBeLessThan(1.3)
  },
)
