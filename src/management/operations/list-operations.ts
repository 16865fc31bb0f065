import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { canonicalHost } from '../../edge/selector/index.js'
import type { Listed, Page } from '../http/index.js'
import {
  listPage,
  snapshot,
  totalsOf,
  viewPage,
  type Database,
  type ListView,
  type Row,
} from '../store/index.js'
import { hostTemplate } from './normalise.js'

type OperationRow = Row<'operations'>

/** What a list of operations is narrowed and ordered by. */
export interface Search extends Page {
  readonly host?: readonly string[] | undefined
  readonly method?: readonly string[] | undefined
  /** Part of an endpoint. */
  readonly endpoint?: string | undefined
  readonly order?: string | undefined
  readonly direction: 'asc' | 'desc'
}

const ORDER = new Map<string, 'method' | 'host' | 'endpoint'>([
  ['method', 'method'],
  ['host', 'host'],
  ['endpoint', 'endpoint'],
])

/** Operations of a zone, the oldest first unless ordered otherwise. */
export async function listOperations(
  db: Database,
  zoneId: string,
  search: Search,
): Promise<Listed<OperationRow>> {
  const list = { table: 'operations', scope: { column: 'zone_id', id: zoneId } } as const
  const conditions = conditionsOf(search)
  const column = ORDER.get(search.order ?? '')
  if (conditions.length === 0 && column === undefined) return listPage(db, list, search)
  return snapshot(db, async (tx) => {
    const { operations: total } = await totalsOf(tx, zoneId)
    const view: ListView<OperationRow> = {
      of: [list],
      ids: (way) =>
        tx
          .selectFrom('operations')
          .select('id')
          .where('zone_id', '=', zoneId)
          .where(({ and }) => and(conditions))
          .$if(column !== undefined, (rows) => rows.orderBy(column!, way))
          .orderBy('created_at', way)
          .orderBy('id', way),
      rows: (_tx, ids) =>
        tx
          .selectFrom('operations')
          .selectAll()
          .where('zone_id', '=', zoneId)
          .where('id', 'in', ids)
          .execute(),
      ...(conditions.length === 0 && { found: total }),
    }
    return { ...(await viewPage(db, tx, view, search)), total }
  })
}

function conditionsOf({ host, method, endpoint = '' }: Search): readonly RawBuilder<SqlBool>[] {
  const conditions = []
  if (host !== undefined) conditions.push(sql<SqlBool>`host in (${sql.join(host.map(asKept))})`)
  if (method !== undefined)
    conditions.push(sql<SqlBool>`method in (${sql.join(method.map((each) => each.toUpperCase()))})`)
  // LIKE reads wildcards and differs between the dialects; this is plain text on both.
  if (endpoint !== '') conditions.push(sql<SqlBool>`replace(endpoint, ${endpoint}, '') <> endpoint`)
  return conditions
}

const asKept = (host: string): string => {
  const canonical = canonicalHost(host)
  return canonical === undefined ? host : hostTemplate(canonical)
}
