import type { Database } from './database.js'

/** How many operations and rules a zone has, without counting them. */
export async function totalsOf(
  db: Database,
  zoneId: string,
): Promise<{ readonly operations: number; readonly rules: number }> {
  const row = await db
    .selectFrom('zones')
    .select(['operation_count', 'rule_count'])
    .where('id', '=', zoneId)
    .executeTakeFirst()
  return { operations: row?.operation_count ?? 0, rules: row?.rule_count ?? 0 }
}
