import { z } from '@hono/zod-openapi'
import { offsetOf, pageQuery, reachOf, type Actor, type Listed } from '../http/index.js'
import { countOf, type Database, type Row } from '../store/index.js'

/** A zone with the name of its account. */
export type ZoneRow = Row<'zones'> & { readonly account_name: string }

/** What a list of zones is narrowed and ordered by. */
export const ZoneSearch = z.object({
  ...pageQuery,
  name: z.string().optional(),
  'account.id': z.string().optional(),
  'account.name': z.string().optional(),
  status: z.enum(['initializing', 'pending', 'active', 'moved']).optional(),
  order: z.enum(['name', 'status', 'account.id', 'account.name', 'plan.id']).default('name'),
  direction: z.enum(['asc', 'desc']).default('asc'),
  match: z.enum(['all', 'any']).optional(),
})

/** Zones with the names of their accounts. */
export const zoneRows = (db: Database) =>
  db
    .selectFrom('zones')
    .innerJoin('accounts', 'accounts.id', 'zones.account_id')
    .selectAll('zones')
    .select('accounts.name as account_name')

const ORDER = new Map<string, 'zones.name' | 'zones.account_id' | 'accounts.name' | 'zones.plan'>([
  ['name', 'zones.name'],
  ['account.id', 'zones.account_id'],
  ['account.name', 'accounts.name'],
  ['plan.id', 'zones.plan'],
])

/** The zones within an actor's reach that are searched for. */
export async function listZones(
  db: Database,
  actor: Actor,
  query: z.output<typeof ZoneSearch>,
): Promise<Listed<ZoneRow>> {
  const reach = reachOf(actor, 'zones:read')
  const mine = zoneRows(db).$if(!reach.all, (zones) =>
    zones.where(({ eb, or }) =>
      or([
        eb('zones.account_id', 'in', ['', ...reach.accounts]),
        eb('zones.id', 'in', ['', ...reach.zones]),
      ]),
    ),
  )
  let searched = mine
  const name = query.name?.toLowerCase()
  if (name !== undefined) searched = searched.where('zones.name', '=', name)
  if (query['account.id'] !== undefined)
    searched = searched.where('zones.account_id', '=', query['account.id'])
  if (query['account.name'] !== undefined)
    searched = searched.where('accounts.name', '=', query['account.name'])
  // Every zone here is active.
  if (query.status !== undefined && query.status !== 'active')
    searched = searched.where('zones.id', '=', '')
  const items = await searched
    .orderBy(ORDER.get(query.order) ?? 'zones.name', query.direction)
    .orderBy('zones.id')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute()
  return { items, found: await countOf(searched), total: await countOf(mine) }
}
