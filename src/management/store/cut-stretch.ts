import { sql, type RawBuilder } from 'kysely'
import type { Transaction } from './database.js'
import { rowsBetween, rowsOf } from './list-rows.js'
import { decoded, encoded, keyOf, nameOf, type MarkedList } from './marked-list.js'

/**
 * A list is cut into stretches, and of each it is known where it begins and how many rows it has:
 * so the thousandth page is found as fast as the first, where `offset` walks past all rows between.
 * A stretch longer than twice this is cut in two. Rows with one key stay together.
 */
export const STRETCH = 1000

/** Cuts a stretch into pieces of the right length. */
export async function cutStretch(
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
