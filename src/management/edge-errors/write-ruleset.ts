import { digest, type Change, type Row } from '../store/index.js'
import { ruleWire, rulesOf, type KeptRule } from './ruleset-row.js'

type RulesetRow = Row<'error_rulesets'>

/** Writes the ruleset of a zone, one version higher, with lines in the audit log for all that differs. */
export async function writeRuleset(
  change: Change & { readonly zone: Row<'zones'> },
  before: RulesetRow | undefined,
  members: {
    readonly rules: readonly KeptRule[]
    readonly name?: string | undefined
    readonly description?: string | undefined
  },
): Promise<RulesetRow> {
  const { tx, zone, at } = change
  const { rules, name = before?.name ?? 'default' } = members
  const row: RulesetRow = {
    zone_id: zone.id,
    id: before?.id ?? (await rulesetId(zone.id)),
    name,
    description: members.description ?? before?.description ?? '',
    version: (before?.version ?? 0) + 1,
    rules: JSON.stringify(rules),
    created_at: before?.created_at ?? at,
    updated_at: at,
  }
  await tx.deleteFrom('error_rulesets').where('zone_id', '=', zone.id).execute()
  await tx.insertInto('error_rulesets').values(row).execute()
  recordRuleset(change, before, row)
  return row
}

/** Tells the audit log what became of a ruleset and of each of its rules. */
export function recordRuleset(
  { record }: Pick<Change, 'record'>,
  before: RulesetRow | undefined,
  after: RulesetRow | undefined,
): void {
  const one = { object_type: 'error_ruleset', object_id: (after ?? before)?.id ?? '' }
  record({ ...one, ...compared(before && headOf(before), after && headOf(after)) })
  const [old, now] = [audited(before), audited(after)]
  for (const id of new Set([...now.keys(), ...old.keys()])) {
    const [was, is] = [old.get(id), now.get(id)]
    if (JSON.stringify(was) !== JSON.stringify(is))
      record({ object_type: 'error_rule', object_id: id, ...compared(was, is) })
  }
}

const compared = (before: object | undefined, after: object | undefined) => ({
  action:
    before === undefined
      ? ('create' as const)
      : after === undefined
        ? ('delete' as const)
        : ('update' as const),
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
})

const headOf = ({ id, name, description, version }: RulesetRow) => ({
  id,
  name,
  description,
  version: String(version),
})

/** Of a change of order the position is all there is to see. */
const audited = (row: RulesetRow | undefined): ReadonlyMap<string, object> =>
  new Map(row && rulesOf(row).map((rule, at) => [rule.id, { ...ruleWire(rule), position: at + 1 }]))

/** A zone has one ruleset, so its id follows from the zone's: made anew, it is the same. */
const rulesetId = async (zoneId: string): Promise<string> =>
  (await digest(`${zoneId}/http_custom_errors`)).slice(0, 32)
