import { z } from '@hono/zod-openapi'
import {
  endpoint,
  mayAt,
  forbidden,
  notFound,
  zoneIdOf,
  type Actor,
  type Call,
  type Endpoint,
  type Place,
} from '../http/index.js'
import type { Database } from '../store/index.js'

/** Every plan by id, which is what clients call its legacy id as well. Nothing is charged here. */
const PLANS = {
  free: 'Free Website',
  pro: 'Pro Website',
  business: 'Business Website',
  enterprise: 'Enterprise Website',
} as const
type PlanId = keyof typeof PLANS
const IDS = Object.keys(PLANS) as readonly PlanId[]

/** The plan that a call asks for. */
export const PlanChoice = z.object({ id: z.enum(IDS) })

/** A plan as zones show theirs. */
export const Plan = z
  .object({
    id: z.enum(IDS),
    name: z.string(),
    legacy_id: z.enum(IDS),
    price: z.number(),
    currency: z.string(),
    frequency: z.enum(['monthly']),
    is_subscribed: z.boolean(),
    can_subscribe: z.boolean(),
    externally_managed: z.boolean(),
    legacy_discount: z.boolean(),
  })
  .openapi('Plan')

/** A plan beside the one that a zone has. */
export function planWire(plan: string, id: string = plan): z.input<typeof Plan> {
  const known = id as PlanId
  return {
    id: known,
    name: PLANS[known],
    legacy_id: known,
    price: 0,
    currency: 'USD',
    frequency: 'monthly',
    is_subscribed: id === plan,
    can_subscribe: id !== plan,
    externally_managed: false,
    legacy_discount: false,
  }
}

/**
 * Which plan a zone has is the operator's business, not that of whoever may edit it.
 * @throws {ApiError} 403
 */
export function admitPlan(actor: Actor, place: Place, before: string, after: string): void {
  if (before !== after && mayAt(actor, 'operator', place) !== 'allowed') throw forbidden('operator')
}

/** The plans that a zone may have. */
export function planRoutes(db: Database): readonly Endpoint[] {
  async function planOf(call: Call<unknown, unknown>): Promise<string> {
    const row = await db
      .selectFrom('zones')
      .select('plan')
      .where('id', '=', zoneIdOf(call))
      .executeTakeFirst()
    if (row === undefined) throw notFound('zone')
    return row.plan
  }

  return [
    endpoint({
      method: 'get',
      path: '/zones/{zone_id}/available_plans',
      tag: 'Zones',
      summary: 'List the plans that a zone may have',
      permission: 'zones:read',
      result: z.array(Plan),
      async handle(call) {
        const plan = await planOf(call)
        return IDS.map((id) => planWire(plan, id))
      },
    }),
    endpoint({
      method: 'get',
      path: '/zones/{zone_id}/available_plans/{plan_id}',
      tag: 'Zones',
      summary: 'Get a plan that a zone may have',
      permission: 'zones:read',
      result: Plan,
      async handle(call) {
        const id = IDS.find((known) => known === call.param('plan_id'))
        if (id === undefined) throw notFound('plan')
        return planWire(await planOf(call), id)
      },
    }),
  ]
}
