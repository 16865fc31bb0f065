import { z } from '@hono/zod-openapi'
import { pageQuery, reachOf, type Actor, type Listed } from '../http/index.js'
import {
  listPage,
  snapshot,
  stateOf,
  viewPage,
  type Database,
  type ListView,
  type Row,
} from '../store/index.js'

/** What a list of accounts is narrowed and ordered by. */
export const AccountSearch = z.object({
  ...pageQuery,
  name: z.string().optional(),
  direction: z.enum(['asc', 'desc']).default('asc'),
})

/** The accounts within an actor's reach that are searched for, by name. */
export const listAccounts = (
  db: Database,
  actor: Actor,
  { name, ...page }: z.output<typeof AccountSearch>,
): Promise<Listed<Row<'accounts'>>> =>
  snapshot(db, async (tx) => {
    const { all, accounts } = reachOf(actor, 'accounts:read')
    if (all && name === undefined) return listPage(tx, { table: 'accounts' }, page)
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
