import { z } from '@hono/zod-openapi'
import { offsetOf, pageQuery, type Listed } from '../http/index.js'
import { countOf, type Database, type Row } from '../store/index.js'
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

/** Lines of the log at a place, the newest first unless asked otherwise: `since` <= time < `until`. */
export async function searchAuditLog(
  db: Database,
  place: { readonly account_id?: string; readonly zone_id?: string },
  query: z.output<typeof AuditSearch>,
): Promise<Listed<AuditRow>> {
  let all = db.selectFrom('audit_log')
  // The zone's account is part of its place, and not every line of a zone needs to know it.
  if (place.zone_id !== undefined) all = all.where('zone_id', '=', place.zone_id)
  else if (place.account_id !== undefined) all = all.where('account_id', '=', place.account_id)
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
