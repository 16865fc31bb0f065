import { z } from '@hono/zod-openapi'
import { canonicalHost } from '../../edge/selector/index.js'
import {
  ApiError,
  CODES,
  endpoint,
  forbidden,
  listEndpoint,
  mayAt,
  notFound,
  offsetOf,
  pageQuery,
  reachOf,
  type Call,
  type Endpoint,
} from '../http/index.js'
import {
  change,
  changeZone,
  countOf,
  POLICY_PARTS,
  recordPolicy,
  type Row,
  type Services,
  type Transaction,
} from '../store/index.js'
import { givenId, newHexId } from './ids.js'
import { Zone, zoneWire } from './zone-wire.js'

const TAG = 'Zones'

const hostName = z
  .string()
  .max(253)
  .transform((value, context) => {
    const name = canonicalHost(value)
    if (name !== undefined && !name.includes('{')) return name
    context.addIssue({ code: 'custom', message: 'expected a host name such as example.com' })
    return z.NEVER
  })

const upstream = z
  .string()
  .max(2048)
  .refine(isUpstream, 'expected an address such as http://127.0.0.1:9000')
  .nullable()

function isUpstream(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === ''
}

const Create = z.object({
  id: givenId.optional(),
  name: hostName.openapi({ type: 'string' }),
  account: z.object({ id: z.string().max(64) }),
  type: z.enum(['full', 'partial', 'secondary', 'internal']).default('full'),
  upstream: upstream.optional(),
})
const Update = z.object({ paused: z.boolean().optional(), upstream: upstream.optional() })

/** Tables whose rows belong to a zone. The audit log does not: it outlives it. */
const OF_A_ZONE = [
  'operations',
  'token_configurations',
  'token_keys',
  'secrets',
  'rules',
  'rule_hosts',
  'rule_configurations',
  'policy_versions',
  'policy_parts',
] as const

/** Zones: a host name with everything below it. */
export function zoneRoutes(services: Services): readonly Endpoint[] {
  const { db, newId } = services
  const rows = db
    .selectFrom('zones')
    .innerJoin('accounts', 'accounts.id', 'zones.account_id')
    .selectAll('zones')
    .select('accounts.name as account_name')

  async function zoneOf({ place }: Call<unknown, unknown>): Promise<z.input<typeof Zone>> {
    const row = await rows.where('zones.id', '=', place.zone_id ?? '').executeTakeFirst()
    if (row === undefined) throw notFound('zone')
    return zoneWire(row)
  }

  return [
    listEndpoint({
      method: 'get',
      path: '/zones',
      tag: TAG,
      summary: 'List zones',
      permission: null,
      query: z.object({
        ...pageQuery,
        name: z.string().optional(),
        'account.id': z.string().optional(),
        'account.name': z.string().optional(),
        status: z.enum(['initializing', 'pending', 'active', 'moved']).optional(),
        order: z.enum(['name', 'status', 'account.id', 'account.name', 'plan.id']).default('name'),
        direction: z.enum(['asc', 'desc']).default('asc'),
        match: z.enum(['all', 'any']).optional(),
      }),
      result: Zone,
      async handle({ actor, query }) {
        const reach = reachOf(actor, 'zones:read')
        const mine = rows.$if(!reach.all, (zones) =>
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
        if (query.status !== undefined && query.status !== 'active')
          searched = searched.where('zones.id', '=', '')
        const found = await searched
          .orderBy(ORDER.get(query.order) ?? 'zones.name', query.direction)
          .orderBy('zones.id')
          .limit(query.per_page)
          .offset(offsetOf(query))
          .execute()
        return {
          items: found.map(zoneWire),
          found: await countOf(searched),
          total: await countOf(mine),
        }
      },
    }),
    endpoint({
      method: 'post',
      path: '/zones',
      tag: TAG,
      summary: 'Create a zone',
      permission: null,
      body: Create,
      result: Zone,
      async handle(call) {
        const { id = newHexId(newId), name, account, type, upstream: to = null } = call.body
        const may = mayAt(call.actor, 'zones:edit', { account_id: account.id })
        if (may === 'forbidden') throw forbidden('zones:edit')
        return change(db, newId, call, async (under) => {
          const owner = may === 'hidden' ? undefined : await lockAccount(under.tx, account.id)
          if (owner === undefined)
            throw new ApiError(400, CODES.invalid_value, 'there is no such account', '/account/id')
          const row: Row<'zones'> = {
            id,
            account_id: account.id,
            name,
            type,
            paused: 0,
            upstream: to,
            settings: '{}',
            lists: '{}',
            policy_version: 0,
            operation_count: 0,
            rule_count: 0,
            created_at: call.at,
            updated_at: call.at,
          }
          const { numInsertedOrUpdatedRows } = await under.tx
            .insertInto('zones')
            .values(row)
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst()
          if (numInsertedOrUpdatedRows === 0n)
            throw new ApiError(409, CODES.conflict, 'there is a zone of this name or id', '/name')
          await recordPolicy(under, row, POLICY_PARTS)
          const wire = zoneWire({ ...row, account_name: owner.name })
          under.record({ action: 'create', ...named(row), after: wire })
          return wire
        })
      },
    }),
    endpoint({
      method: 'get',
      path: '/zones/{zone_id}',
      tag: TAG,
      summary: 'Get a zone',
      permission: 'zones:read',
      result: Zone,
      handle: zoneOf,
    }),
    endpoint({
      method: 'patch',
      path: '/zones/{zone_id}',
      tag: TAG,
      summary: 'Change a zone',
      permission: 'zones:edit',
      body: Update,
      result: Zone,
      async handle(call) {
        const before = await zoneOf(call)
        const { paused = before.paused, upstream: to = before.upstream } = call.body
        const changes = { paused: paused ? 1 : 0, upstream: to, updated_at: call.at }
        const origin = { ...call, zone_id: before.id, parts: ['zone'] as const }
        await changeZone(db, newId, origin, async ({ tx, record }) => {
          await tx.updateTable('zones').set(changes).where('id', '=', before.id).execute()
          const after = { paused, upstream: to }
          record({ action: 'update', ...named(before), before, after })
        })
        return zoneOf(call)
      },
    }),
    endpoint({
      method: 'delete',
      path: '/zones/{zone_id}',
      tag: TAG,
      summary: 'Delete a zone with everything in it',
      permission: 'zones:edit',
      result: z.object({ id: z.string() }),
      async handle(call) {
        const before = await zoneOf(call)
        const origin = { ...call, zone_id: before.id, parts: [] }
        await changeZone(db, newId, origin, async ({ tx, record }) => {
          for (const table of OF_A_ZONE)
            await tx.deleteFrom(table).where('zone_id', '=', before.id).execute()
          await tx.deleteFrom('zones').where('id', '=', before.id).execute()
          record({ action: 'delete', ...named(before), before })
        })
        return { id: before.id }
      },
    }),
  ]
}

const ORDER = new Map<string, 'zones.name' | 'zones.account_id' | 'accounts.name'>([
  ['name', 'zones.name'],
  ['account.id', 'zones.account_id'],
  ['account.name', 'accounts.name'],
])

/** Reads an account in a way that keeps it from being deleted until the transaction ends. */
async function lockAccount(tx: Transaction, id: string): Promise<Row<'accounts'> | undefined> {
  return tx
    .updateTable('accounts')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

const named = (zone: { readonly id: string; readonly account_id?: string }) => ({
  object_type: 'zone',
  object_id: zone.id,
  zone_id: zone.id,
  ...(zone.account_id !== undefined && { account_id: zone.account_id }),
})
