import { z } from '@hono/zod-openapi'
import { offsetOf, pageQuery, reachOf, type Actor, type Listed } from '../http/index.js'
import { countOf, listPage, type Database, type Row } from '../store/index.js'

/** What a list of accounts is narrowed and ordered by. */
export const AccountSearch = z.object({
  ...pageQuery,
  name: z.string().optional(),
  direction: z.enum(['asc', 'desc']).default('asc'),
})

/** The accounts within an actor's reach that are searched for, by name. */
export async function listAccounts(
  db: Database,
  actor: Actor,
  query: z.output<typeof AccountSearch>,
): Promise<Listed<Row<'accounts'>>> {
  const reach = reachOf(actor, 'accounts:read')
  if (reach.all && query.name === undefined) return listPage(db, { table: 'accounts' }, query)
  const mine = db
    .selectFrom('accounts')
    .$if(!reach.all, (accounts) => accounts.where('id', 'in', orNone(reach.accounts)))
  const searched = mine.$if(query.name !== undefined, (accounts) =>
    accounts.where('name', '=', query.name!),
  )
  const items = await searched
    .selectAll()
    .orderBy('name', query.direction)
    .orderBy('id', query.direction)
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute()
  return { items, found: await countOf(searched), total: await countOf(mine) }
}

/** SQL has no empty list. */
const orNone = (ids: readonly string[]): readonly string[] => (ids.length === 0 ? [''] : ids)
