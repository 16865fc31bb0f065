import { z } from '@hono/zod-openapi'
import {
  forbidden,
  listEndpoint,
  mayAt,
  notFound,
  type Call,
  type Endpoint,
  type Listed,
} from '../http/index.js'
import { moment, type Row, type Services } from '../store/index.js'
import { AuditSearch, searchAuditLog } from './search.js'

const TAG = 'Audit log'

/** A line of the log, in the shape of clients and with the members they have no place for. */
const AuditLine = z
  .object({
    id: z.string(),
    when: z.string(),
    action: z.object({ type: z.string(), result: z.boolean() }),
    actor: z.object({ id: z.string(), name: z.string(), type: z.string() }),
    interface: z.string(),
    resource: z.object({ type: z.string(), id: z.string() }),
    owner: z.object({ id: z.string().nullable() }),
    zone_id: z.string().nullable(),
    request_id: z.string(),
    before: z.unknown().openapi({ description: 'The object before, without secrets; or null.' }),
    after: z.unknown().openapi({ description: 'The object afterwards, without secrets; or null.' }),
    oldValue: z.string(),
    newValue: z.string(),
    metadata: z.object({}),
  })
  .openapi('AuditLine')

const wire = (row: Row<'audit_log'>): z.input<typeof AuditLine> => ({
  id: row.id,
  when: moment(row.at),
  // What was refused changed nothing and is not in the log.
  action: { type: row.action, result: true },
  actor: { id: row.actor_id, name: row.actor_name, type: 'user' },
  interface: 'API',
  resource: { type: row.object_type, id: row.object_id },
  owner: { id: row.account_id },
  zone_id: row.zone_id,
  request_id: row.request_id,
  before: row.before === null ? null : JSON.parse(row.before),
  after: row.after === null ? null : JSON.parse(row.after),
  oldValue: row.before ?? '',
  newValue: row.after ?? '',
  metadata: {},
})

/** The audit log of a zone, of an account with all its zones, and of everything. It is read only. */
export function auditRoutes({ db }: Services): readonly Endpoint[] {
  async function list(
    call: Call<z.output<typeof AuditSearch>, unknown>,
  ): Promise<Listed<z.input<typeof AuditLine>>> {
    const listed = await searchAuditLog(db, call.place, call.query)
    return { ...listed, items: listed.items.map(wire) }
  }

  /** The log of an account outlives it; an account that never was has none. */
  async function listAccount(call: Parameters<typeof list>[0]): ReturnType<typeof list> {
    const listed = await list(call)
    if (listed.total > 0) return listed
    const account = await db
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', call.place.account_id ?? '')
      .executeTakeFirst()
    if (account === undefined) throw notFound('account')
    return listed
  }

  const shape = { method: 'get', tag: TAG, query: AuditSearch, result: AuditLine } as const
  return [
    listEndpoint({
      ...shape,
      path: '/zones/{zone_id}/audit_log',
      summary: 'List the changes of a zone',
      permission: 'audit_log:read',
      handle: list,
    }),
    ...['/accounts/{account_id}/audit_log', '/accounts/{account_id}/audit_logs'].map((path) =>
      listEndpoint({
        ...shape,
        path,
        summary: 'List the changes of an account and its zones',
        permission: 'audit_log:read',
        handle: listAccount,
      }),
    ),
    listEndpoint({
      ...shape,
      path: '/audit_log',
      summary: 'List all changes, those of API tokens included',
      permission: null,
      async handle(call) {
        if (mayAt(call.actor, 'audit_log:read', {}) !== 'allowed') throw forbidden('audit_log:read')
        return list(call)
      },
    }),
  ]
}
