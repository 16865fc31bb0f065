import { z } from '@hono/zod-openapi'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { pageQuery, type Listed } from '../http/index.js'
import {
  listPage,
  logPage,
  snapshot,
  type Database,
  type Row,
  type Transaction,
} from '../store/index.js'
import { instantQuery } from './instant.js'

/** What the log is narrowed by. The names with dots, and `before`, are those of clients. */
export const AuditSearch = z.object({
  ...pageQuery,
  id: z.string().optional(),
  /** Id or name of the API token. */
  actor: z.string().optional(),
  'actor.email': z.string().optional(),
  action: z.string().optional(),
  'action.type': z.string().optional(),
  object_type: z.string().optional(),
  object_id: z.string().optional(),
  request_id: z.string().optional(),
  zone_id: z.string().optional(),
  'zone.name': z.string().optional(),
  since: instantQuery.optional(),
  until: instantQuery.optional(),
  before: instantQuery.optional(),
  direction: z.enum(['asc', 'desc']).default('desc'),
})

type Query = z.output<typeof AuditSearch>

/** Members that name a column, and those of them that few lines share. */
const PLAIN = ['id', 'object_type', 'object_id', 'request_id', 'zone_id'] as const
const RARE = ['id', 'object_id', 'request_id'] as const

const earlier = (one?: number, other?: number): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

/** Lines of the log at a place, the newest first unless asked otherwise: `since` <= time < `until`. */
export async function searchAuditLog(
  db: Database,
  place: { readonly account_id?: string; readonly zone_id?: string },
  query: Query,
): Promise<Listed<Row<'audit_log'>>> {
  // The zone's account is part of its place, and not every line of a zone needs to know it.
  const [scope] = (['zone_id', 'account_id'] as const).flatMap((column) =>
    place[column] === undefined ? [] : [{ column, id: place[column] }],
  )
  const list = { table: 'audit_log', ...(scope && { scope }) } as const
  const page = { ...query, until: earlier(query.until, query.before) }
  return snapshot(db, async (tx) => {
    const conditions = await conditionsOf(tx, query)
    if (conditions.length === 0) return listPage(tx, list, page)
    // An index over the scope would be followed rather than the one that finds the few.
    const few = RARE.some((column) => query[column] !== undefined)
    const lines = (after: number) =>
      tx
        .selectFrom('audit_log')
        .select(['id', 'at'])
        .where(({ and }) => and(conditions))
        .$if(scope !== undefined, (all) =>
          all.where(
            few ? sql<string>`${sql.ref(scope!.column)} || ''` : scope!.column,
            '=',
            scope!.id,
          ),
        )
        .where('at', '>', after)
        .orderBy('at')
        .orderBy('id')
    return logPage(db, tx, { list, lines }, page)
  })
}

/** What picks single lines, where times narrow the log to a stretch of it. */
async function conditionsOf(
  tx: Transaction,
  query: Query,
): Promise<readonly RawBuilder<SqlBool>[]> {
  const conditions: RawBuilder<SqlBool>[] = []
  for (const column of PLAIN)
    if (query[column] !== undefined) conditions.push(sql`${sql.ref(column)} = ${query[column]}`)
  for (const actor of [query.actor, query['actor.email']])
    if (actor !== undefined) conditions.push(sql`(actor_id = ${actor} or actor_name = ${actor})`)
  for (const action of [query.action, query['action.type']])
    if (action !== undefined) conditions.push(sql`action = ${action}`)
  const zoneName = query['zone.name']?.toLowerCase()
  if (zoneName !== undefined) {
    const zone = await tx
      .selectFrom('zones')
      .select('id')
      .where('name', '=', zoneName)
      .executeTakeFirst()
    conditions.push(zone === undefined ? sql`1 = 0` : sql`zone_id = ${zone.id}`)
  }
  return conditions
}
