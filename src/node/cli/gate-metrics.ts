import { createVerdictCache, type Decision, type VerdictCache } from '../../edge/index.js'
import type { GateServer } from '../gate-server.js'
import type { ListenAddress } from '../listen-address.js'
import type { Terminal } from './terminal.js'

type Zones = GateServer['gate']['zones']

/** What a gate alone counts, and where it is collected. */
export interface GateMetrics {
  /** For the gate to remember verdicts in. */
  readonly cache: VerdictCache
  decided(decision: Decision): void
  upstreamFailed(code: number | string): void
  /** A version is in force in these zones from now on. */
  inForce(zones: Zones, version: number): void
  /** A version is refused; what was in force stays so. */
  refused(): void
  /** Whether management answers. */
  connected(is: boolean): void
  close(): Promise<void>
}

/** Listens for whoever collects metrics. Rejects when the address is taken. */
export async function startGateMetrics(
  address: ListenAddress,
  terminal: Terminal,
): Promise<GateMetrics> {
  // Only here: a gate without metrics does without, and starts sooner.
  const { createServeMetrics, startMetricsListener } = await import('../serve/index.js')
  const metrics = createServeMetrics()
  const cache = createVerdictCache()
  let follows = { running: [] as Running[], inStep: true }
  const listener = await startMetricsListener(address, () =>
    metrics.text(follows, cache, Date.now()),
  )
  terminal.err(`portcullis: metrics are at ${listener.url}`)
  return {
    cache,
    decided: metrics.decided,
    upstreamFailed: metrics.upstreamFailed,
    inForce(zones, version) {
      const created_at = Date.now() * 1000
      follows = { ...follows, running: zones.map((zone) => ({ zone, version, created_at })) }
    },
    refused() {
      for (const { zone } of follows.running) metrics.refused(zone.id)
    },
    connected: (is) => void (follows = { ...follows, inStep: is }),
    close: listener.close,
  }
}

interface Running {
  readonly version: number
  readonly created_at: number
  readonly zone: { readonly id: string }
}
