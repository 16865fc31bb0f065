import type { ListenAddress } from '../listen-address.js'
import type { Gates } from '../workers/index.js'
import type { Terminal } from './terminal.js'

/** Where what a gate counts is collected. */
export interface GateMetrics {
  /** A version of a policy document is in force from now on. */
  inForce(policy: unknown, version: number): void
  /** What is in force has another version from now on. */
  renumbered(version: number): void
  /** A version is refused; what was in force stays so. */
  refused(): void
  /** A gate process ended by itself. */
  workerEnded(): void
  /** Whether management answers. */
  connected(is: boolean): void
  close(): Promise<void>
}

/** Listens for whoever collects metrics. Rejects when the address is taken. */
export async function startGateMetrics(
  address: ListenAddress,
  gates: Pick<Gates, 'counts' | 'live'>,
  terminal: Terminal,
): Promise<GateMetrics> {
  // Only here: a gate without metrics does without, and starts sooner.
  const { createServeMetrics, startMetricsListener } = await import('../serve/index.js')
  const metrics = createServeMetrics()
  let follows = { running: [] as Running[], inStep: true }
  const listener = await startMetricsListener(address, async () =>
    metrics.text({
      follower: follows,
      gates: await gates.counts(),
      live: gates.live,
      now: Date.now(),
    }),
  )
  terminal.err(`portcullis: metrics are at ${listener.url}`)
  return {
    inForce(policy, version) {
      const created_at = Date.now() * 1000
      const running = zonesOf(policy).map((zone) => ({ zone, version, created_at }))
      follows = { ...follows, running }
    },
    renumbered(version) {
      const running = follows.running.map((each) => ({ ...each, version }))
      follows = { ...follows, running }
    },
    refused() {
      for (const { zone } of follows.running) metrics.refused(zone.id)
    },
    workerEnded: metrics.workerEnded,
    connected: (is) => void (follows = { ...follows, inStep: is }),
    close: listener.close,
  }
}

interface Running {
  readonly version: number
  readonly created_at: number
  readonly zone: NamedZone
}

interface NamedZone {
  readonly id: string
}

/** The zones of a document that compiles. */
function zonesOf(policy: unknown): readonly NamedZone[] {
  const { zones } = policy as { readonly zones?: readonly NamedZone[] }
  return zones ?? [policy as NamedZone]
}
