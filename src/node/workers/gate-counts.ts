import type { Decision, VerdictCache } from '../../edge/index.js'
import { createCounter, type Sample } from './counter.js'

/** What gates have counted. Labels hold ids and words of configuration alone. */
export interface GateCounts {
  /** By zone, rule, action and reason. */
  readonly decisions: readonly Sample[]
  /** Of upstream, by edge error code. */
  readonly failures: readonly Sample[]
  readonly cache: CacheCounts
}

type CacheCounts = ReturnType<VerdictCache['stats']>

/** Counts for one gate. */
export interface GateTally {
  decided(decision: Decision): void
  failed(code: number | string): void
  read(): GateCounts
}

export function createGateTally(cache: VerdictCache): GateTally {
  const decisions = createCounter()
  const failures = createCounter()
  return {
    decided: ({ zone, rule, action, reason }) =>
      decisions.add(zone ?? '', rule ?? '', action, reason),
    failed: (code) => failures.add(String(code)),
    read: () => ({
      decisions: decisions.samples(),
      failures: failures.samples(),
      cache: cache.stats(),
    }),
  }
}

const NO_CACHE: CacheCounts = {
  hits: 0,
  rejectedHits: 0,
  misses: 0,
  entries: 0,
  rejectedEntries: 0,
  bytes: 0,
}

/** What a gate that is no more leaves behind: it has counted, and remembers nothing. */
export const pastCounts = (counts: GateCounts): GateCounts => ({
  ...counts,
  cache: { ...counts.cache, entries: 0, rejectedEntries: 0, bytes: 0 },
})

/** The counts of several gates as those of one. */
export function sumOfCounts(all: readonly GateCounts[]): GateCounts {
  const names = Object.keys(NO_CACHE) as readonly (keyof CacheCounts)[]
  const total = (name: keyof CacheCounts) => all.reduce((sum, { cache }) => sum + cache[name], 0)
  return {
    decisions: sumOf(all.flatMap(({ decisions }) => decisions)),
    failures: sumOf(all.flatMap(({ failures }) => failures)),
    cache: { ...NO_CACHE, ...Object.fromEntries(names.map((name) => [name, total(name)])) },
  }
}

function sumOf(samples: readonly Sample[]): readonly Sample[] {
  const sums = new Map<string, Sample>()
  for (const [values, count] of samples) {
    const key = JSON.stringify(values)
    sums.set(key, [values, (sums.get(key)?.[1] ?? 0) + count])
  }
  return [...sums.values()]
}
