import { sql, type RawBuilder } from 'kysely'
import type { Transaction } from './database.js'
import { keyOf, type MarkedList } from './marked-list.js'

/** The table of a list and the condition that its rows meet, to be followed by `and`. */
export const rowsOf = ({ table, scope }: MarkedList): RawBuilder<unknown> =>
  scope === undefined
    ? sql`${sql.table(table)} where true`
    : sql`${sql.table(table)} where ${sql.ref(scope.column)} = ${scope.id}`

/** How many rows of a list have a key from the first up to, and without, the second. */
export async function rowsBetween(
  tx: Transaction,
  list: MarkedList,
  from: string | number,
  to: string | number,
): Promise<number> {
  const key = sql.ref(keyOf(list.table))
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${rowsOf(list)} and ${key} >= ${from} and ${key} < ${to}
  `.execute(tx)
  return rows[0]!.n
}
