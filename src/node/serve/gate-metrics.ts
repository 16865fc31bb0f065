import type { GateState } from '../../management/index.js'
import type { Sample } from '../workers/index.js'
import { exposition } from './metrics.js'

/** What gates that follow management told of themselves, as metrics; `now` in epoch ms. */
export function gateMetrics(gates: readonly GateState[], now: number): string {
  const labels = ['zone', 'instance']
  const each = (value: (gate: GateState) => number): readonly Sample[] =>
    gates.map((gate) => [[gate.zone_id, gate.instance], value(gate)])
  return exposition([
    {
      name: 'portcullis_gate_policy_version',
      kind: 'gauge',
      help: 'Version of the policy that a gate runs, as it told.',
      labels,
      samples: each(({ version }) => version),
    },
    {
      name: 'portcullis_gate_policy_refused',
      kind: 'gauge',
      help: 'Version that a gate refuses, the one before being in force there; 0 for none.',
      labels,
      samples: each(({ refused }) => refused ?? 0),
    },
    {
      name: 'portcullis_gate_silent_seconds',
      kind: 'gauge',
      help: 'Time since a gate was heard of.',
      labels,
      samples: each(({ last_seen }) => Math.max(0, Math.round(now - last_seen / 1000) / 1000)),
    },
  ])
}
