import { sql, type RawBuilder } from 'kysely'
import { STRETCH } from './cut-stretch.js'
import type { Database, Transaction } from './database.js'
import { rowsOf } from './list-rows.js'
import { newVersion, stateOf } from './list-version.js'
import {
  beginning,
  DIGITS,
  isNumeric,
  keyOf,
  nameOf,
  type MarkedList,
  type MarkedTable,
} from './marked-list.js'

/** Marks a list anew, of which more changed than can be counted one by one. */
export async function markAnew(tx: Transaction, list: MarkedList): Promise<void> {
  await newVersion(tx, list)
  const marks = nameOf(list)
  const first = beginning(list.table)
  await tx.deleteFrom('list_marks').where('list', '=', marks).where('start', '<>', first).execute()
  await tx.updateTable('list_marks').set({ n: 0 }).where('list', '=', marks).execute()
  await fillMarks(tx, list.table, list.scope?.column, rowsOf(list))
}

/** Marks a list anew when something else has written to its table. */
export async function checkMarks(tx: Transaction, list: MarkedList, n: number): Promise<void> {
  const { total } = await stateOf(tx, [list])
  if (total !== n) await markAnew(tx, list)
}

/** Marks all lists of a table by one column, or one of them. Of their marks there are the first ones at most. */
export async function fillMarks(
  db: Database,
  table: MarkedTable,
  column: 'zone_id' | 'account_id' | undefined,
  from: RawBuilder<unknown> = sql`${sql.table(table)} where true`,
): Promise<void> {
  const key = sql.ref(keyOf(table))
  const id = column === undefined ? sql`''` : sql.ref(column)
  const name =
    column === undefined
      ? sql.lit(table)
      : sql`${sql.lit(nameOf({ table, scope: { column, id: '' } }))} || id`
  // Rows of one key have one rank. A digit in front keeps the others at their places.
  const start = isNumeric(table)
    ? sql`substr(cast(min(key) + ${sql.lit(10 ** DIGITS)} as text), 2)`
    : sql`min(key)`
  await sql`
    insert into list_marks (list, start, n)
    select ${name}, case when stretch = 0 then ${sql.lit(beginning(table))} else ${start} end, count(*)
    from (
      select ${id} as id, ${key} as key,
        (rank() over (partition by ${id} order by ${key}) - 1) / ${sql.lit(STRETCH)} as stretch
      from ${from} and ${id} is not null
    ) as placed
    group by id, stretch
    on conflict (list, start) do update set n = excluded.n
  `.execute(db)
}
