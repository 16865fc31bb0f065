import { inPieces, type Transaction } from '../store/index.js'
import { includedHosts } from './compile-rule.js'
import type { RuleRow } from './rule-rows.js'
import type { Selector } from '../../edge/selector/index.js'

/** Names a rule. */
export type RuleKey = Pick<RuleRow, 'zone_id' | 'id'>

/** Writes down which hosts and configurations a rule is found by. */
export async function writeUses(
  tx: Transaction,
  rule: RuleKey,
  { selector }: { readonly selector: Selector | null },
  configurations: readonly string[],
): Promise<void> {
  await deleteUses(tx, rule)
  const key = { zone_id: rule.zone_id, rule_id: rule.id }
  const hosts = includedHosts(selector ?? {}).map((host) => ({ ...key, host }))
  for (const rows of inPieces(hosts)) await tx.insertInto('rule_hosts').values(rows).execute()
  const uses = configurations.map((configuration_id) => ({ ...key, configuration_id }))
  for (const rows of inPieces(uses))
    await tx.insertInto('rule_configurations').values(rows).execute()
}

/** Forgets them. */
export async function deleteUses(tx: Transaction, { zone_id, id }: RuleKey): Promise<void> {
  for (const table of ['rule_hosts', 'rule_configurations'] as const)
    await tx.deleteFrom(table).where('zone_id', '=', zone_id).where('rule_id', '=', id).execute()
}
