import { sql, type RawBuilder } from 'kysely'
import type { Database, Transaction } from './database.js'
import { readMarks } from './list-place.js'
import { rowsBetween, rowsOf } from './list-rows.js'
import {
  beginning,
  decoded,
  DIGITS,
  encoded,
  isNumeric,
  keyOf,
  nameOf,
  scopesOf,
  type MarkedList,
  type MarkedTable,
} from './marked-list.js'

/**
 * A list is cut into stretches, and of each it is known where it begins and how many rows it has:
 * so the thousandth page is found as fast as the first, where `offset` walks past all rows between.
 * A stretch longer than twice this is cut in two. Rows with one key stay together.
 */
const STRETCH = 1000

type Keyed = Readonly<Record<string, unknown>>

/** Counts rows that were added to a table, in the same transaction. */
export const rowsAdded = (
  tx: Transaction,
  table: MarkedTable,
  rows: readonly Keyed[],
): Promise<void> => rowsCounted(tx, table, rows, 1)

/** Counts rows that were deleted from a table, in the same transaction. */
export const rowsRemoved = (
  tx: Transaction,
  table: MarkedTable,
  rows: readonly Keyed[],
): Promise<void> => rowsCounted(tx, table, rows, -1)

async function rowsCounted(
  tx: Transaction,
  table: MarkedTable,
  rows: readonly Keyed[],
  by: 1 | -1,
): Promise<void> {
  for (const column of scopesOf(table)) {
    const keysOf = new Map<string | undefined, string[]>()
    for (const row of rows) {
      const id = column === undefined ? undefined : (row[column] as string | null)
      if (id === null) continue
      const key = encoded(row[keyOf(table)] as string | number)
      const keys = keysOf.get(id)
      if (keys === undefined) keysOf.set(id, [key])
      else keys.push(key)
    }
    // In one order, so that no two changes wait for each other.
    for (const [id, keys] of [...keysOf].toSorted()) {
      const list = column === undefined ? { table } : { table, scope: { column, id: id! } }
      await count(tx, list, keys, by)
    }
  }
}

async function count(
  tx: Transaction,
  list: MarkedList,
  keys: readonly string[],
  by: 1 | -1,
): Promise<void> {
  await lock(tx, list)
  const grown = new Map<string, number>()
  for (const { key, many } of await together(tx, list, keys)) {
    const stretch = await tx
      .updateTable('list_marks')
      .set(({ eb }) => ({ n: eb('n', '+', by * many) }))
      .where('list', '=', nameOf(list))
      .where('start', '=', ({ selectFrom }) =>
        selectFrom('list_marks as other')
          .select(({ fn }) => fn.max('other.start').as('start'))
          .where('other.list', '=', nameOf(list))
          .where('other.start', '<=', key),
      )
      .returning(['start', 'n'])
      .executeTakeFirstOrThrow()
    const longer = by > 0 && steps(stretch.n) > steps(stretch.n - many)
    if (longer || grown.has(stretch.start)) grown.set(stretch.start, stretch.n)
    if (stretch.n === 0 && stretch.start !== beginning(list.table))
      await tx
        .deleteFrom('list_marks')
        .where('list', '=', nameOf(list))
        .where('start', '=', stretch.start)
        .execute()
  }
  // Where to cut is looked up among rows: all of them have to be counted by then.
  for (const [start, n] of grown) await cut(tx, list, { start, n })
}

/** A long stretch of one key cannot be cut: it is not tried for every row again. */
const steps = (n: number): number => Math.max(1, Math.floor(n / STRETCH))

/** Who counts in a list waits for whoever does, to see every row that is counted. */
async function lock(tx: Transaction, list: MarkedList): Promise<void> {
  await tx
    .insertInto('list_marks')
    .values({ list: nameOf(list), start: beginning(list.table), n: 0 })
    .onConflict((conflict) =>
      conflict.columns(['list', 'start']).doUpdateSet(({ ref }) => ({ n: ref('list_marks.n') })),
    )
    .execute()
}

/** Keys that lie in one stretch are counted at once, if that is easily seen. */
async function together(
  tx: Transaction,
  { table, ...list }: MarkedList,
  keys: readonly string[],
): Promise<readonly { readonly key: string; readonly many: number }[]> {
  const [first = ''] = keys
  if (keys.every((key) => key === first)) return [{ key: first, many: keys.length }]
  const apart = keys.map((key) => ({ key, many: 1 }))
  if (!isNumeric(table)) return apart
  const [low, high] = [keys.toSorted()[0]!, keys.toSorted().at(-1)!]
  const between = await tx
    .selectFrom('list_marks')
    .select('start')
    .where('list', '=', nameOf({ table, ...list }))
    .where('start', '>', low)
    .where('start', '<=', high)
    .limit(1)
    .executeTakeFirst()
  return between === undefined ? [{ key: low, many: keys.length }] : apart
}

/** Cuts a stretch into pieces of the right length. */
async function cut(
  tx: Transaction,
  list: MarkedList,
  { start, n }: { readonly start: string; readonly n: number },
): Promise<void> {
  let [from, rest] = [start, n]
  while (rest > 2 * STRETCH) {
    const to = await cutAfter(tx, list, from)
    if (to === undefined) return
    const [low, high] = [decoded(list.table, from), decoded(list.table, to)]
    const left = await rowsBetween(tx, list, low, high)
    if (left >= rest) return
    await tx
      .updateTable('list_marks')
      .set({ n: left })
      .where('list', '=', nameOf(list))
      .where('start', '=', from)
      .execute()
    rest -= left
    from = to
    await tx
      .insertInto('list_marks')
      .values({ list: nameOf(list), start: from, n: rest })
      .execute()
  }
}

/** The key at which a stretch may be cut, not before it is long enough. */
async function cutAfter(
  tx: Transaction,
  list: MarkedList,
  from: string,
): Promise<string | undefined> {
  const middle = await keyAt(tx, list, sql`>= ${decoded(list.table, from)}`, STRETCH)
  return middle === from ? keyAt(tx, list, sql`> ${decoded(list.table, from)}`, 0) : middle
}

async function keyAt(
  tx: Transaction,
  list: MarkedList,
  bound: RawBuilder<unknown>,
  offset: number,
): Promise<string | undefined> {
  const key = sql.ref(keyOf(list.table))
  const { rows } = await sql<{ key: string | number }>`
    select ${key} as key from ${rowsOf(list)} and ${key} ${bound}
    order by ${key} limit 1 offset ${sql.lit(offset)}
  `.execute(tx)
  return rows[0] && encoded(rows[0].key)
}

/** Marks a list anew, of which more changed than can be counted one by one. */
export async function markAnew(tx: Transaction, list: MarkedList): Promise<void> {
  await lock(tx, list)
  await tx.deleteFrom('list_marks').where('list', '=', nameOf(list)).execute()
  await fillMarks(tx, list.table, list.scope?.column, rowsOf(list))
}

/** Marks a list anew when something else has written to its table. */
export async function checkMarks(tx: Transaction, list: MarkedList, n: number): Promise<void> {
  const { total } = await readMarks(tx, list)
  if (total !== n) await markAnew(tx, list)
}

/** Marks all lists of a table by one column, or one of them. They have no marks before. */
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
  `.execute(db)
}
