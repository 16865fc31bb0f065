import { sql } from 'kysely'
import type { Database, Row } from './database.js'
import { readMarks } from './list-place.js'
import { rowsOf } from './list-rows.js'
import { keyOf, type MarkedList, type MarkedTable } from './marked-list.js'
import { placeOfPage, type PageOfRows } from './place-of-page.js'
import { snapshot } from './snapshot.js'

/** A page of a list in the order of its keys. */
export interface ListPage extends PageOfRows {
  /** Only rows with such keys, in lists in the order of time: `since` <= key < `until`. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

/** Rows of a page, how many there are in its stretch of time, and how many at all. */
export interface ListedRows<Table extends MarkedTable> {
  readonly items: readonly Row<Table>[]
  readonly found: number
  readonly total: number
}

/** Reads a page of a list by its marks: what it costs does not grow with its number. */
export const listPage = <Table extends MarkedTable>(
  db: Database,
  list: MarkedList & { readonly table: Table },
  { since, until, ...page }: ListPage,
): Promise<ListedRows<Table>> =>
  snapshot(db, async (tx) => {
    const { total, place, rank } = await readMarks(tx, list)
    const first = since === undefined ? 0 : await rank(since)
    const end = until === undefined ? total : await rank(until)
    const found = Math.max(0, end - first)
    const { number, many } = placeOfPage(page, found)
    if (many === 0) return { items: [], found, total }
    const { from, offset } = place(first + number)
    const key = sql.ref(keyOf(list.table))
    const { rows } = await sql<Row<Table>>`
      select * from ${rowsOf(list)} and ${key} >= ${from}
      order by ${key}, id limit ${many} offset ${offset}
    `.execute(tx)
    return { items: page.direction === 'desc' ? rows.toReversed() : rows, found, total }
  })
