import { z } from '@hono/zod-openapi'
import { offsetOf, pageQuery, reachOf, type Actor, type Listed } from '../http/index.js'
import { countOf, listPage, snapshot, type Database, type Row } from '../store/index.js'

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
  const whole = wholeList(query, reach)
  if (whole !== undefined) return listWhole(db, whole, query)
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
    .orderBy('zones.id', query.direction)
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute()
  return { items, found: await countOf(searched), total: await countOf(mine) }
}

type ZoneList = Parameters<typeof listPage<'zones'>>[1]

/** All zones, or those of one account, by name: lists that are marked. */
function wholeList(
  query: z.output<typeof ZoneSearch>,
  { all, accounts, zones }: ReturnType<typeof reachOf>,
): ZoneList | undefined {
  const filters = [query.name, query['account.id'], query['account.name']]
  if (filters.some((filter) => filter !== undefined)) return undefined
  if (query.status !== undefined && query.status !== 'active') return undefined
  if (ORDER.has(query.order) && query.order !== 'name') return undefined
  if (all) return { table: 'zones' }
  const [id, ...more] = new Set(accounts)
  if (id === undefined || more.length > 0 || zones.length > 0) return undefined
  return { table: 'zones', scope: { column: 'account_id', id } }
}

const listWhole = (
  db: Database,
  list: ZoneList,
  query: z.output<typeof ZoneSearch>,
): Promise<Listed<ZoneRow>> =>
  snapshot(db, async (tx) => {
    const listed = await listPage(tx, list, query)
    const owners = [...new Set(listed.items.map((zone) => zone.account_id))]
    const rows = await tx
      .selectFrom('accounts')
      .select(['id', 'name'])
      .where('id', 'in', ['', ...owners])
      .execute()
    const nameOf = new Map(rows.map(({ id, name }) => [id, name]))
    const items = listed.items.map((zone) => ({
      ...zone,
      account_name: nameOf.get(zone.account_id) ?? '',
    }))
    return { ...listed, items }
  })
