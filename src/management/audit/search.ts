import { z } from '@hono/zod-openapi'
import { offsetOf, pageQuery, type Listed } from '../http/index.js'
import { countOf, listPage, type Database, type Row } from '../store/index.js'
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

type AuditRow = Row<'audit_log'>

const PLAIN = ['id', 'object_type', 'object_id', 'request_id', 'zone_id'] as const

/** Times narrow the log to a stretch of it; everything else picks single lines. */
const TIMES = new Set(['page', 'per_page', 'direction', 'since', 'until', 'before'])
const isWhole = (query: object): boolean =>
  Object.entries(query).every(([name, value]) => TIMES.has(name) || value === undefined)

const earlier = (one?: number, other?: number): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

/** Lines of the log at a place, the newest first unless asked otherwise: `since` <= time < `until`. */
export async function searchAuditLog(
  db: Database,
  place: { readonly account_id?: string; readonly zone_id?: string },
  query: z.output<typeof AuditSearch>,
): Promise<Listed<AuditRow>> {
  // The zone's account is part of its place, and not every line of a zone needs to know it.
  const [scope] = (['zone_id', 'account_id'] as const).flatMap((column) =>
    place[column] === undefined ? [] : [{ column, id: place[column] }],
  )
  if (isWhole(query))
    return listPage(db, scope ? { table: 'audit_log', scope } : { table: 'audit_log' }, {
      ...query,
      until: earlier(query.until, query.before),
    })
  let all = db.selectFrom('audit_log')
  if (scope !== undefined) all = all.where(scope.column, '=', scope.id)
  let found = all
  for (const column of PLAIN) {
    const value = query[column]
    if (value !== undefined) found = found.where(column, '=', value)
  }
  for (const actor of [query.actor, query['actor.email']])
    if (actor !== undefined)
      found = found.where(({ eb, or }) =>
        or([eb('actor_id', '=', actor), eb('actor_name', '=', actor)]),
      )
  for (const action of [query.action, query['action.type']])
    if (action !== undefined) found = found.where('action', '=', action)
  const zoneName = query['zone.name']?.toLowerCase()
  if (zoneName !== undefined)
    found = found.where('zone_id', 'in', (eb) =>
      eb.selectFrom('zones').select('zones.id').where('zones.name', '=', zoneName),
    )
  if (query.since !== undefined) found = found.where('at', '>=', query.since)
  for (const end of [query.until, query.before])
    if (end !== undefined) found = found.where('at', '<', end)
  const items = await found
    .selectAll()
    .orderBy('at', query.direction)
    .orderBy('id', query.direction)
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute()
  const total = await countOf(all)
  return { items, total, found: found === all ? total : await countOf(found) }
}
