import { z } from '@hono/zod-openapi'
import {
  endpoint,
  listEndpoint,
  notFound,
  zoneIdOf,
  type Call,
  type Endpoint,
} from '../http/index.js'
import { changeZone, newVersion, type Database, type Services } from '../store/index.js'
import { createZone } from './create-zone.js'
import { deleteZone } from './delete-zone.js'
import { keptErrorRules } from './kept-error-rules.js'
import { listZones, zoneRows, ZoneSearch } from './list-zones.js'
import { admitPlan } from './plans.js'
import { CreateZone, UpdateZone } from './zone-input.js'
import { zoneNamed } from './zone-named.js'
import { Zone, zoneWire } from './zone-wire.js'

const TAG = 'Zones'

/** Zones: a host name with everything below it. */
export function zoneRoutes(services: Services): readonly Endpoint[] {
  const { db, newId } = services

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
      handle: (call) => createZone(services, call.body, call),
    }),
    endpoint({
      method: 'get',
      path: '/zones/{zone_id}',
      tag: TAG,
      summary: 'Get a zone',
      permission: 'zones:read',
      result: Zone,
      handle: (call) => zoneOf(db, call),
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
        const id = zoneIdOf(call)
        const origin = { ...call, zone_id: id, parts: ['zone', 'edge_errors'] as const }
        return changeZone(db, newId, origin, async ({ tx, at, record }) => {
          // Of the zone as it is under its lock, so that no change undoes another.
          const before = await zoneOf(tx, call)
          const { paused = before.paused, upstream: to = before.upstream } = call.body
          const plan = call.body.plan?.id ?? before.plan.id
          admitPlan(call.actor, call.place, before.plan.id, plan)
          const changes = { paused: paused ? 1 : 0, upstream: to, plan, updated_at: at }
          await tx.updateTable('zones').set(changes).where('id', '=', id).execute()
          if (plan !== before.plan.id) await newVersion(tx, { table: 'zones' })
          if (call.body.plan?.id === 'free') call.note(...(await keptErrorRules(tx, id)))
          const after = { paused, upstream: to, plan: { id: plan } }
          record({ action: 'update', ...zoneNamed(before), before, after })
          return zoneOf(tx, call)
        })
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
        const before = await zoneOf(db, call)
        await deleteZone(services, before, call)
        return { id: before.id }
      },
    }),
  ]
}

/** @throws {ApiError} 404 */
async function zoneOf(db: Database, call: Call<unknown, unknown>): Promise<z.input<typeof Zone>> {
  const row = await zoneRows(db).where('zones.id', '=', zoneIdOf(call)).executeTakeFirst()
  if (row === undefined) throw notFound('zone')
  return zoneWire(row)
}
