import type { Decision, Gate } from '../edge/index.js'
import { unknownKeys, type UnknownKey } from '../edge/gate/index.js'
import type { UnknownKeyReport } from './unknown-key-reports.js'

/**
 * Looks at the decisions of a gate for tokens whose key an issuer may have added to its set: those of
 * configurations with a `jwks_uri`.
 */
export function unknownKeyWatch(
  gate: Pick<Gate, 'epoch' | 'zones'>,
  tell: (zone: string, unknown: UnknownKeyReport) => void,
): (decision: Decision) => void {
  let remote: ReadonlyMap<string, ReadonlySet<string>> = new Map()
  let epoch = 0
  return (decision) => {
    if (epoch !== gate.epoch) {
      remote = remoteConfigurations(gate)
      epoch = gate.epoch
    }
    const { zone } = decision
    const configurations = zone === null ? undefined : remote.get(zone)
    if (zone === null || configurations === undefined) return
    for (const key of unknownKeys(decision))
      if (configurations.has(key.configuration_id)) tell(zone, reportOf(key))
  }
}

/** By zone, and no zone that has none. */
function remoteConfigurations({
  zones,
}: Pick<Gate, 'zones'>): ReadonlyMap<string, ReadonlySet<string>> {
  const all = zones.map(({ id, token_configurations = [] }) => {
    const remote = token_configurations.filter(({ credentials }) => 'jwks_uri' in credentials)
    return [id, new Set(remote.map((configuration) => configuration.id))] as const
  })
  return new Map(all.filter(([, configurations]) => configurations.size > 0))
}

const reportOf = ({ configuration_id, ...key }: UnknownKey): UnknownKeyReport => ({
  configuration_id,
  keys: [key],
})
