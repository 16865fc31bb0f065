import { sql } from 'kysely'
import type { Database, Row } from './database.js'
import { readMarks } from './list-place.js'
import { rowsOf } from './list-rows.js'
import { keyOf, type MarkedList, type MarkedTable } from './marked-list.js'
import { snapshot } from './snapshot.js'

/** A page of a list, counted from 1. */
export interface ListPage {
  readonly page: number
  readonly per_page: number
  readonly direction?: 'asc' | 'desc'
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
  { page, per_page, direction = 'asc', since, until }: ListPage,
): Promise<ListedRows<Table>> =>
  snapshot(db, async (tx) => {
    const { total, place, rank } = await readMarks(tx, list)
    const first = since === undefined ? 0 : await rank(since)
    const end = until === undefined ? total : await rank(until)
    const found = Math.max(0, end - first)
    const passed = (page - 1) * per_page
    const many = Math.max(0, Math.min(per_page, found - passed))
    if (many === 0) return { items: [], found, total }
    // The pages of a descending list are cut from its end.
    const { from, offset } = place(direction === 'asc' ? first + passed : end - passed - many)
    const key = sql.ref(keyOf(list.table))
    const { rows } = await sql<Row<Table>>`
      select * from ${rowsOf(list)} and ${key} >= ${from}
      order by ${key}, id limit ${many} offset ${offset}
    `.execute(tx)
    return { items: direction === 'asc' ? rows : rows.toReversed(), found, total }
  })
