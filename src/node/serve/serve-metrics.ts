import { createCounter, type GateCounts } from '../workers/index.js'
import { exposition } from './metrics.js'

/** What a gate runs, and whether it hears of changes. */
export interface RunningPolicies {
  readonly running: readonly {
    readonly version: number
    /** Epoch µs. */
    readonly created_at: number
    readonly zone: { readonly id: string }
  }[]
  readonly inStep: boolean
}

/** What a serving process counts. Labels hold ids and words of configuration alone. */
export interface ServeMetrics {
  answered(method: string, status: number): void
  refused(zone: string): void
  workerEnded(): void
  /** `outcome`: changed, unchanged, or why it failed. */
  keySetFetched(zone: string, outcome: string): void
  /** The text that `/metrics` answers. */
  text(seen: Seen): string
}

/** What others count or know. */
export interface Seen {
  readonly follower: RunningPolicies
  readonly gates: GateCounts
  /** Processes or not: how many gates decide. */
  readonly live: number
  /** Epoch ms. */
  readonly now: number
}

/** Methods are text of strangers; these are the ones that the API has. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function createServeMetrics(): ServeMetrics {
  const requests = createCounter()
  const refusals = createCounter()
  let ended = 0
  const fetches = createCounter()
  return {
    answered: (method, status) =>
      requests.add(METHODS.has(method) ? method : 'other', String(status)),
    refused: (zone) => refusals.add(zone),
    keySetFetched: (zone, outcome) => fetches.add(zone, outcome),
    workerEnded: () => void ended++,
    text({ follower, gates: { decisions, failures, cache }, live, now }) {
      const { hits, rejectedHits, misses, entries, rejectedEntries } = cache
      const { running } = follower
      return exposition([
        {
          name: 'portcullis_decisions_total',
          kind: 'counter',
          help: 'Requests that the gate judged.',
          labels: ['zone', 'rule', 'action', 'reason'],
          samples: decisions,
        },
        {
          name: 'portcullis_upstream_failures_total',
          kind: 'counter',
          help: 'Requests that passed and that upstream failed, by edge error code.',
          labels: ['code'],
          samples: failures,
        },
        {
          name: 'portcullis_verdict_cache_hits_total',
          kind: 'counter',
          help: 'Tokens whose signature was known already, valid or rejected.',
          labels: ['verdict'],
          samples: [
            [['valid'], hits],
            [['rejected'], rejectedHits],
          ],
        },
        {
          name: 'portcullis_verdict_cache_misses_total',
          kind: 'counter',
          help: 'Tokens that were in neither table of the cache.',
          samples: [[[], misses - rejectedHits]],
        },
        {
          name: 'portcullis_verdict_cache_entries',
          kind: 'gauge',
          help: 'Tokens remembered.',
          labels: ['verdict'],
          samples: [
            [['valid'], entries],
            [['rejected'], rejectedEntries],
          ],
        },
        {
          name: 'portcullis_policy_version',
          kind: 'gauge',
          help: 'Version of the policy in force, by zone.',
          labels: ['zone'],
          samples: running.map(({ zone, version }) => [[zone.id], version]),
        },
        {
          name: 'portcullis_policy_age_seconds',
          kind: 'gauge',
          help: 'Time since the policy in force was made, by zone.',
          labels: ['zone'],
          samples: running.map(({ zone, created_at }) => [
            [zone.id],
            Math.max(0, Math.round(now - created_at / 1000) / 1000),
          ]),
        },
        {
          name: 'portcullis_policy_refused_total',
          kind: 'counter',
          help: 'Policies that did not compile, by zone; the one before stayed in force.',
          labels: ['zone'],
          samples: refusals.samples(),
        },
        {
          name: 'portcullis_key_set_fetches_total',
          kind: 'counter',
          help: 'Fetches of remote key sets, by zone and outcome.',
          labels: ['zone', 'outcome'],
          samples: fetches.samples(),
        },
        {
          name: 'portcullis_in_step',
          kind: 'gauge',
          help: '1 while the gate follows the store, 0 while the store does not answer.',
          samples: [[[], follower.inStep ? 1 : 0]],
        },
        {
          name: 'portcullis_gates',
          kind: 'gauge',
          help: 'Gates that decide by the policies in force.',
          samples: [[[], live]],
        },
        {
          name: 'portcullis_workers_ended_total',
          kind: 'counter',
          help: 'Gate processes that ended by themselves and were replaced.',
          samples: [[[], ended]],
        },
        {
          name: 'portcullis_api_requests_total',
          kind: 'counter',
          help: 'Requests that the management API answered.',
          labels: ['method', 'status'],
          samples: requests.samples(),
        },
      ])
    },
  }
}
