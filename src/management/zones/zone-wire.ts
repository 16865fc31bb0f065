import { z } from '@hono/zod-openapi'
import { moment, type Row } from '../store/index.js'
import { Plan, planWire } from './plans.js'

/** A zone in the shape of clients. Of what is not done here there is the value that says so. */
export const Zone = z
  .object({
    id: z.string(),
    name: z.string(),
    account: z.object({ id: z.string(), name: z.string() }),
    status: z.enum(['active']),
    paused: z.boolean(),
    type: z.string(),
    upstream: z.string().nullable(),
    development_mode: z.number(),
    name_servers: z.array(z.string()),
    original_name_servers: z.array(z.string()).nullable(),
    original_registrar: z.string().nullable(),
    original_dnshost: z.string().nullable(),
    owner: z.object({ id: z.string().nullable(), name: z.string().nullable(), type: z.string() }),
    plan: Plan,
    meta: z.object({}),
    permissions: z.array(z.string()),
    created_on: z.string(),
    modified_on: z.string(),
    activated_on: z.string(),
  })
  .openapi('Zone')

export function zoneWire(
  row: Row<'zones'> & { readonly account_name: string },
): z.input<typeof Zone> {
  return {
    id: row.id,
    name: row.name,
    account: { id: row.account_id, name: row.account_name },
    status: 'active',
    paused: row.paused === 1,
    type: row.type,
    upstream: row.upstream,
    development_mode: 0,
    name_servers: [],
    original_name_servers: null,
    original_registrar: null,
    original_dnshost: null,
    owner: { id: row.account_id, name: row.account_name, type: 'organization' },
    plan: planWire(row.plan),
    meta: {},
    permissions: [],
    created_on: moment(row.created_at),
    modified_on: moment(row.updated_at),
    activated_on: moment(row.created_at),
  }
}
