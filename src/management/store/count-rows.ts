import type { Transaction } from './database.js'
import { cutStretch, STRETCH } from './cut-stretch.js'
import { newVersion } from './list-version.js'
import {
  beginning,
  encoded,
  isNumeric,
  keyOf,
  nameOf,
  scopesOf,
  type MarkedList,
  type MarkedTable,
} from './marked-list.js'

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
  await newVersion(tx, list)
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
  for (const [start, n] of grown) await cutStretch(tx, list, { start, n })
}

/** A long stretch of one key cannot be cut: it is not tried for every row again. */
const steps = (n: number): number => Math.max(1, Math.floor(n / STRETCH))

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
  const sorted = keys.toSorted()
  const [low, high] = [sorted[0]!, sorted.at(-1)!]
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
