import type { Expression } from 'kysely'
import type { Database, Row, Transaction } from './database.js'
import { Entries } from './entries.js'
import type { ListPage, ListedRows } from './list-page.js'
import { rowsBetween } from './list-rows.js'
import { stateOf, type ListState } from './list-version.js'
import { DIGITS, encoded, MAX_KEY, type MarkedList } from './marked-list.js'
import { nameOfQuery, packedLines, readPacked } from './pack.js'
import { placeOfPage } from './place-of-page.js'
import { rowsOfPage } from './view-page.js'
import { viewsOf, type View } from './views.js'

/** Lines of the audit log that are searched for. */
export interface LogView {
  /** The list that they are in. */
  readonly list: MarkedList & { readonly table: 'audit_log' }
  /** Selects the lines later than a time (epoch µs), in the order of times and then of ids. */
  lines(after: number): Expression<{ readonly id: string; readonly at: number }>
}

/**
 * Reads a page of a log that is only ever added to. What was found once stays; the lines that came
 * since are looked at, and no others.
 */
export async function logPage(
  db: Database,
  tx: Transaction,
  log: LogView,
  { since, until, ...page }: ListPage,
): Promise<ListedRows<'audit_log'>> {
  const state = await stateOf(tx, [log.list])
  const { entries } = await viewOf(db, tx, log, state)
  const first = since === undefined ? 0 : rank(entries, since)
  const end = until === undefined ? entries.length : rank(entries, until)
  const found = Math.max(0, end - first)
  const { number, many } = placeOfPage(page, found)
  const ids = entries.slice(first + number, many).map((entry) => entry.slice(DIGITS))
  return { items: await rowsOfPage(tx, { rows: linesOf }, ids, page), found, total: state.total }
}

const rank = (entries: Entries, time: number): number =>
  entries.rank(encoded(Math.max(0, Math.min(time, MAX_KEY))))

async function viewOf(
  db: Database,
  tx: Transaction,
  log: LogView,
  { version, total }: ListState,
): Promise<View> {
  const query = packedLines(tx, log.lines(-1))
  const [views, name] = [viewsOf(db), nameOfQuery(query)]
  const kept = views.get(name)
  if (kept?.version === version) return kept
  const newest = await newestOf(tx, log)
  const entries = (await grown(tx, log, total, kept)) ?? Entries.of(await readPacked(tx, query))
  const view = { version, entries, seen: { total, newest } }
  views.set(name, view)
  return view
}

/** What was found before, with the new lines; not so where one of them is no later than all others. */
async function grown(
  tx: Transaction,
  { list, lines }: LogView,
  total: number,
  kept: View | undefined,
): Promise<Entries | undefined> {
  if (kept?.seen === undefined) return undefined
  const { seen, entries } = kept
  const later = await rowsBetween(tx, list, seen.newest + 1, MAX_KEY)
  if (seen.total + later !== total) return undefined
  return entries.with(await readPacked(tx, packedLines(tx, lines(seen.newest))))
}

async function newestOf(tx: Transaction, { list }: LogView): Promise<number> {
  const newest = await tx
    .selectFrom('audit_log')
    .select('at')
    .$if(list.scope !== undefined, (lines) => lines.where(list.scope!.column, '=', list.scope!.id))
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.at ?? -1
}

const linesOf = (tx: Transaction, ids: readonly string[]): Promise<readonly Row<'audit_log'>[]> =>
  tx.selectFrom('audit_log').selectAll().where('id', 'in', ids).execute()
