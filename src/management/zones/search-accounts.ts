import type { Listed, Page, reachOf } from '../http/index.js'
import {
  snapshot,
  stateOf,
  viewPage,
  type Database,
  type ListView,
  type Row,
} from '../store/index.js'

/** The accounts within reach that are searched for. */
export const searchAccounts = (
  db: Database,
  { all, accounts }: ReturnType<typeof reachOf>,
  {
    name,
    ...page
  }: Page & { readonly name?: string | undefined; readonly direction: 'asc' | 'desc' },
): Promise<Listed<Row<'accounts'>>> =>
  snapshot(db, async (tx) => {
    const view = (named?: string): ListView<Row<'accounts'>> => ({
      of: [{ table: 'accounts' }],
      ids: (way) =>
        tx
          .selectFrom('accounts')
          .select('id')
          .$if(!all, (mine) => mine.where('id', 'in', ['', ...accounts]))
          .$if(named !== undefined, (mine) => mine.where('name', '=', named!))
          .orderBy('name', way)
          .orderBy('id', way),
      rows: (_tx, ids) => tx.selectFrom('accounts').selectAll().where('id', 'in', ids).execute(),
    })
    const listed = await viewPage(db, tx, view(name), page)
    if (name === undefined) return { ...listed, total: listed.found }
    const total = all
      ? (await stateOf(tx, [{ table: 'accounts' }])).total
      : (await viewPage(db, tx, view(), { page: 1, per_page: 0 })).found
    return { ...listed, total }
  })
