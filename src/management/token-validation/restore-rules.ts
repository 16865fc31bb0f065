import type { Selector } from '../../edge/selector/index.js'
import type { Change, Row } from '../store/index.js'
import { compileRule, schemeOf } from './compile-rule.js'
import { writeUses } from './rule-uses.js'

interface StoredRule {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly action: 'log' | 'block'
  readonly enabled: boolean
  readonly expression: string
  readonly selector: Selector
}

/**
 * Gives a zone the rules that an earlier version of its policy has, in its order. The rest of that
 * version has to be restored before: rules are compiled with it.
 *
 * @throws {ApiError} 400 for a rule that does not compile any more
 */
export async function restoreRules(
  { tx, zone, at, actor }: Change & { readonly zone: Row<'zones'> },
  part: unknown,
): Promise<void> {
  const zone_id = zone.id
  const there = await tx.selectFrom('rules').selectAll().where('zone_id', '=', zone_id).execute()
  const known = new Map(there.map((row) => [row.id, row]))
  for (const table of ['rules', 'rule_hosts', 'rule_configurations'] as const)
    await tx.deleteFrom(table).where('zone_id', '=', zone_id).execute()
  const restored = await tx
    .selectFrom('zones')
    .selectAll()
    .where('id', '=', zone_id)
    .executeTakeFirstOrThrow()
  const scheme = await schemeOf(tx, restored)
  for (const [index, { selector, enabled, ...rule }] of (part as readonly StoredRule[]).entries()) {
    const { predicate } = compileRule({ ...rule, selector }, scheme, `/rules/${index}`)
    const before = known.get(rule.id)
    const columns = { ...rule, enabled: enabled ? 1 : 0, selector: JSON.stringify(selector) }
    const touched = before === undefined || !holds(before, columns)
    const row: Row<'rules'> = {
      zone_id,
      ...columns,
      position: index + 1,
      modified_by: touched ? actor.name : before.modified_by,
      created_at: before?.created_at ?? at,
      updated_at: touched ? at : before.updated_at,
    }
    await tx.insertInto('rules').values(row).execute()
    await writeUses(tx, row, { selector }, predicate.uses.configurations)
  }
}

const holds = (row: Row<'rules'>, columns: Partial<Row<'rules'>>): boolean =>
  Object.entries(columns).every(([name, value]) => row[name as keyof typeof row] === value)
