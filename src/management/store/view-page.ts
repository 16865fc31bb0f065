import { sql, type Expression } from 'kysely'
import type { Database, Transaction } from './database.js'
import { Entries } from './entries.js'
import { stateOf, type VersionedList } from './list-version.js'
import { nameOfQuery, packedIds, readPacked } from './pack.js'
import { placeOfPage, type PageOfRows } from './place-of-page.js'
import { entriesOf, viewsOf } from './views.js'

/** Rows that are searched for, or in an order that no marks are kept of. */
export interface ListView<Item extends { readonly id: string }> {
  /** The lists that it is made of: it is another after every change of them. */
  readonly of: readonly VersionedList[]
  /** Selects the ids of its rows in their order, or from the end. */
  ids(way: 'asc' | 'desc'): Expression<{ readonly id: string }>
  /** Reads rows in any order. */
  rows(tx: Transaction, ids: readonly string[]): Promise<readonly Item[]>
  /** How many rows it has, where that is known: pages near its ends are found without it then. */
  readonly found?: number
}

/** So many rows are passed over faster than all are looked at. */
const NEAR = 1000

/**
 * Reads a page of a view in a snapshot. Which rows it shows is kept in memory until one of its lists
 * changes, in whichever process: so the thousandth page costs what the first does.
 */
export async function viewPage<Item extends { readonly id: string }>(
  db: Database,
  tx: Transaction,
  view: ListView<Item>,
  page: PageOfRows,
): Promise<{ readonly items: readonly Item[]; readonly found: number }> {
  const query = packedIds(tx, view.ids('asc'))
  const name = nameOfQuery(query)
  const { version } = await stateOf(tx, view.of)
  const { found } = view
  if (found !== undefined && viewsOf(db).get(name)?.version !== version) {
    const ids = await nearEnd(tx, view, found, page)
    if (ids !== undefined) return { items: await rowsOfPage(tx, view, ids, page), found }
  }
  const entries = await entriesOf(db, name, { version }, async () => ({
    entries: Entries.of(await readPacked(tx, query)),
  }))
  return pageOfEntries(tx, view, entries, page)
}

/** Reads a page of rows of which all ids are known in ascending order. */
export async function pageOfEntries<Item extends { readonly id: string }>(
  tx: Transaction,
  view: Pick<ListView<Item>, 'rows'>,
  entries: Entries,
  page: PageOfRows,
): Promise<{ readonly items: readonly Item[]; readonly found: number }> {
  const { number, many } = placeOfPage(page, entries.length)
  const items = await rowsOfPage(tx, view, entries.slice(number, many), page)
  return { items, found: entries.length }
}

/** The ids of a page that is found by walking from one of the ends. */
async function nearEnd(
  tx: Transaction,
  view: Pick<ListView<never>, 'ids'>,
  found: number,
  page: PageOfRows,
): Promise<readonly string[] | undefined> {
  const { number, many } = placeOfPage(page, found)
  const left = found - number - many
  if (many > 0 && Math.min(number, left) > NEAR) return undefined
  const way = number <= left ? 'asc' : 'desc'
  const { rows } = await sql<{ id: string }>`
    select id from (${view.ids(way)}) as listed
    limit ${many} offset ${Math.max(0, Math.min(number, left))}
  `.execute(tx)
  const ids = rows.map(({ id }) => id)
  return way === 'asc' ? ids : ids.toReversed()
}

/** Reads rows by their ids in ascending order, and gives them in the order of the page. */
export async function rowsOfPage<Item extends { readonly id: string }>(
  tx: Transaction,
  view: Pick<ListView<Item>, 'rows'>,
  ids: readonly string[],
  { direction }: PageOfRows,
): Promise<readonly Item[]> {
  if (ids.length === 0) return []
  const rows = new Map((await view.rows(tx, ids)).map((row) => [row.id, row]))
  const items = ids.flatMap((id) => rows.get(id) ?? [])
  return direction === 'desc' ? items.toReversed() : items
}
