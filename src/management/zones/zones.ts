import { z } from '@hono/zod-openapi'
import {
  ApiError,
  CODES,
  endpoint,
  forbidden,
  listEndpoint,
  mayAt,
  notFound,
  type Call,
  type Endpoint,
} from '../http/index.js'
import {
  change,
  changeZone,
  GONE,
  markAnew,
  newVersion,
  POLICY_PARTS,
  recordPolicy,
  rowsAdded,
  rowsRemoved,
  type Row,
  type Services,
  type Transaction,
} from '../store/index.js'
import { newHexId } from './ids.js'
import { keptErrorRules } from './kept-error-rules.js'
import { listZones, zoneRows, ZoneSearch } from './list-zones.js'
import { admitPlan } from './plans.js'
import { CreateZone, UpdateZone } from './zone-input.js'
import { Zone, zoneWire } from './zone-wire.js'

const TAG = 'Zones'

/** Tables whose rows belong to a zone. The audit log does not: it outlives it. */
const OF_A_ZONE = [
  'operations',
  'api_schemas',
  'token_configurations',
  'token_keys',
  'remote_key_sets',
  'secrets',
  'rules',
  'rule_hosts',
  'rule_configurations',
  'policy_versions',
  'policy_parts',
  'gate_instances',
  'error_rulesets',
  'error_pages',
  'error_branding',
] as const

/** Zones: a host name with everything below it. */
export function zoneRoutes(services: Services): readonly Endpoint[] {
  const { db, newId } = services

  async function zoneOf({ place }: Call<unknown, unknown>): Promise<z.input<typeof Zone>> {
    const row = await zoneRows(db)
      .where('zones.id', '=', place.zone_id ?? '')
      .executeTakeFirst()
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
      query: ZoneSearch,
      result: Zone,
      async handle({ actor, query }) {
        const listed = await listZones(db, actor, query)
        return { ...listed, items: listed.items.map(zoneWire) }
      },
    }),
    endpoint({
      method: 'post',
      path: '/zones',
      tag: TAG,
      summary: 'Create a zone',
      permission: null,
      body: CreateZone,
      result: Zone,
      async handle(call) {
        const { id = newHexId(newId), name, account, type, upstream: to = null } = call.body
        const { plan = { id: 'free' } } = call.body
        const place = { account_id: account.id }
        const may = mayAt(call.actor, 'zones:edit', place)
        if (may === 'forbidden') throw forbidden('zones:edit')
        if (may === 'allowed') admitPlan(call.actor, place, 'free', plan.id)
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
            plan: plan.id,
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
          await rowsAdded(under.tx, 'zones', [row])
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
      body: UpdateZone,
      result: Zone,
      async handle(call) {
        const before = await zoneOf(call)
        const { paused = before.paused, upstream: to = before.upstream } = call.body
        const plan = call.body.plan?.id ?? before.plan.id
        admitPlan(call.actor, call.place, before.plan.id, plan)
        const changes = { paused: paused ? 1 : 0, upstream: to, plan, updated_at: call.at }
        const origin = { ...call, zone_id: before.id, parts: ['zone', 'edge_errors'] as const }
        await changeZone(db, newId, origin, async ({ tx, zone, record }) => {
          await tx.updateTable('zones').set(changes).where('id', '=', before.id).execute()
          if (plan !== zone.plan) await newVersion(tx, { table: 'zones' })
          if (call.body.plan?.id === 'free') call.note(...(await keptErrorRules(tx, before.id)))
          const after = { paused, upstream: to, plan: { id: plan } }
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
        await changeZone(db, newId, origin, async ({ tx, zone, record, announce }) => {
          for (const table of OF_A_ZONE)
            await tx.deleteFrom(table).where('zone_id', '=', before.id).execute()
          await tx.deleteFrom('zones').where('id', '=', before.id).execute()
          await rowsRemoved(tx, 'zones', [zone])
          const scope = { column: 'zone_id', id: zone.id } as const
          await markAnew(tx, { table: 'operations', scope })
          await newVersion(tx, { table: 'rules', scope })
          record({ action: 'delete', ...named(before), before })
          announce(before.id, GONE)
        })
        return { id: before.id }
      },
    }),
  ]
}

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
