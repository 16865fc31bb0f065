import { z } from '@hono/zod-openapi'
import { sql, type RawBuilder } from 'kysely'
import { pageQuery, reachOf, type Actor, type Listed } from '../http/index.js'
import {
  listPage,
  snapshot,
  stateOf,
  viewPage,
  type Database,
  type ListView,
  type MarkedList,
  type Row,
  type Transaction,
} from '../store/index.js'

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

type Query = z.output<typeof ZoneSearch>
type Reach = ReturnType<typeof reachOf>
type ZoneList = MarkedList & { readonly table: 'zones' }

/** What comes before the name, which settles it. Every zone here has one status. */
const ORDER = new Map<string, RawBuilder<unknown>>([
  ['account.id', sql`zones.account_id`],
  ['account.name', sql`accounts.name`],
  ['plan.id', sql`zones.plan`],
])
/** Those of them that all zones have an index for. */
const INDEXED = new Set(['account.id', 'plan.id'])

/** The zones within an actor's reach that are searched for. */
export const listZones = (db: Database, actor: Actor, query: Query): Promise<Listed<ZoneRow>> =>
  snapshot(db, async (tx) => {
    const reach = reachOf(actor, 'zones:read')
    const total = await countWithin(db, tx, reach)
    const { searched, conditions } = await narrowed(tx, reach, query)
    const marked = conditions.length === 0 ? markedList(searched) : undefined
    if (marked !== undefined && !ORDER.has(query.order)) {
      const { items, found } = await listPage(tx, marked, query)
      return { items: await withAccounts(tx, items), found, total }
    }
    const whole = searched.all && conditions.length === 0
    const known = whole && INDEXED.has(query.order) ? { found: total } : {}
    const view = viewOf([within(searched), ...conditions], query.order)
    const { items, found } = await viewPage(db, tx, { ...view, ...known }, query)
    return { items: await withAccounts(tx, items), found, total }
  })

/** Where to search, as far as accounts tell it, and what else has to hold. */
async function narrowed(
  tx: Transaction,
  reach: Reach,
  { name, 'account.id': id, 'account.name': owner, status = 'active' }: Query,
): Promise<{ readonly searched: Reach; readonly conditions: readonly RawBuilder<unknown>[] }> {
  const conditions = []
  if (name !== undefined) conditions.push(sql`zones.name = ${name.toLowerCase()}`)
  if (status !== 'active') conditions.push(sql`false`)
  if (id === undefined && owner === undefined) return { searched: reach, conditions }
  const owners = await tx
    .selectFrom('accounts')
    .select('id')
    .$if(id !== undefined, (accounts) => accounts.where('id', '=', id!))
    .$if(owner !== undefined, (accounts) => accounts.where('name', '=', owner!))
    .execute()
  const accounts = owners.map((account) => account.id)
  if (reach.all) return { searched: { all: false, accounts, zones: [] }, conditions }
  conditions.push(sql`zones.account_id in (${sql.join(['', ...accounts])})`)
  return { searched: reach, conditions }
}

/** All zones, or those of one account: lists that are marked. */
function markedList({ all, accounts, zones }: Reach): ZoneList | undefined {
  if (all) return { table: 'zones' }
  const [id, ...more] = new Set(accounts)
  if (id === undefined || more.length > 0 || zones.length > 0) return undefined
  return { table: 'zones', scope: { column: 'account_id', id } }
}

async function countWithin(db: Database, tx: Transaction, reach: Reach): Promise<number> {
  const marked = markedList(reach)
  if (marked !== undefined) return (await stateOf(tx, [marked])).total
  const none = { page: 1, per_page: 0 }
  return (await viewPage(db, tx, viewOf([within(reach)], 'name'), none)).found
}

const within = ({ all, accounts, zones }: Reach): RawBuilder<unknown> =>
  all
    ? sql`true`
    : sql`(zones.account_id in (${sql.join(['', ...accounts])}) or zones.id in (${sql.join(['', ...zones])}))`

const viewOf = (
  conditions: readonly RawBuilder<unknown>[],
  order: string,
): ListView<Row<'zones'>> => ({
  of: [{ table: 'zones' }],
  ids(way) {
    const first = ORDER.get(order)
    const to = sql.raw(way)
    return sql`
      select zones.id as id from zones
      ${order === 'account.name' ? sql`join accounts on accounts.id = zones.account_id` : sql``}
      where ${sql.join(conditions, sql` and `)}
      order by ${first === undefined ? sql`` : sql`${first} ${to},`} zones.name ${to}, zones.id ${to}
    `
  },
  rows: (tx, ids) => tx.selectFrom('zones').selectAll().where('id', 'in', ids).execute(),
})

async function withAccounts(
  tx: Transaction,
  zones: readonly Row<'zones'>[],
): Promise<readonly ZoneRow[]> {
  const owners = [...new Set(zones.map((zone) => zone.account_id))]
  const rows = await tx
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where('id', 'in', ['', ...owners])
    .execute()
  const nameOf = new Map(rows.map(({ id, name }) => [id, name]))
  return zones.map((zone) => ({ ...zone, account_name: nameOf.get(zone.account_id) ?? '' }))
}
