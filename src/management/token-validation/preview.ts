import { z } from '@hono/zod-openapi'
import { covers, type Selector } from '../../edge/selector/index.js'
import { offsetOf, type Page } from '../http/index.js'
import { moment, type Database } from '../store/index.js'

/** What a selector does to the operations of a zone. */
export const Preview = z
  .object({
    operations: z.array(
      z.object({
        operation_id: z.string(),
        method: z.string(),
        host: z.string(),
        endpoint: z.string(),
        last_updated: z.string(),
        state: z.enum(['included', 'excluded', 'ignored']),
      }),
    ),
    total: z.number().int(),
    included: z.number().int(),
    excluded: z.number().int(),
    ignored: z.number().int(),
    selected_hosts: z.array(z.string()),
    available_hosts: z.array(z.string()),
  })
  .openapi('SelectorPreview')

/** Applies a selector as the gate would; the counters tell of all operations, not of the page. */
export async function preview(
  db: Database,
  zoneId: string,
  selector: Selector,
  page: Page,
): Promise<z.output<typeof Preview>> {
  const rows = await db
    .selectFrom('operations')
    .select(['id as operation_id', 'method', 'host', 'endpoint', 'created_at'])
    .where('zone_id', '=', zoneId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const isCovered = covers(selector)
  const excluded = new Set(selector.exclude?.flatMap((entry) => entry.operation_ids ?? []))
  const operations = rows.map(({ created_at, ...operation }) => {
    const rest = excluded.has(operation.operation_id) ? 'excluded' : 'ignored'
    const state = isCovered(operation) ? ('included' as const) : rest
    return { ...operation, last_updated: moment(created_at), state: state as typeof state }
  })
  const count = (state: string) => operations.filter((one) => one.state === state).length
  const from = offsetOf(page)
  return {
    operations: operations.slice(from, from + page.per_page),
    total: operations.length,
    included: count('included'),
    excluded: count('excluded'),
    ignored: count('ignored'),
    selected_hosts: hostsOf(operations.filter(({ state }) => state === 'included')),
    available_hosts: hostsOf(operations),
  }
}

const hostsOf = (operations: readonly { readonly host: string }[]): string[] =>
  [...new Set(operations.map(({ host }) => host))].toSorted()
