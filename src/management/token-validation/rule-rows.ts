import { notFound } from '../http/index.js'
import { moment, type Database, type Row } from '../store/index.js'
import type { Rule } from './rule-schema.js'

export type RuleRow = Row<'rules'>

/** A rule as answers show it. */
export const ruleWire = (row: RuleRow): Rule => ({
  id: row.id,
  title: row.title,
  description: row.description,
  action: row.action,
  enabled: row.enabled === 1,
  expression: row.expression,
  selector: JSON.parse(row.selector),
  created_at: moment(row.created_at),
  last_updated: moment(row.updated_at),
  modified_by: row.modified_by,
})

/** @throws {ApiError} 404 */
export async function getRule(db: Database, zoneId: string, id: string): Promise<RuleRow> {
  const row = await findRule(db, zoneId, id)
  if (row === undefined) throw notFound('rule')
  return row
}

const findRule = (db: Database, zoneId: string, id: string): Promise<RuleRow | undefined> =>
  db
    .selectFrom('rules')
    .selectAll()
    .where('zone_id', '=', zoneId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Rules in the order of these ids, without those that are not there. */
export async function rowsOf(
  db: Database,
  zoneId: string,
  ids: readonly string[],
): Promise<readonly RuleRow[]> {
  const rows = await db
    .selectFrom('rules')
    .selectAll()
    .where('zone_id', '=', zoneId)
    .where('id', 'in', ['', ...ids])
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
