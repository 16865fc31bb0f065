import type { z } from '@hono/zod-openapi'
import { ApiError, CODES, forbidden, mayAt, type Actor } from '../http/index.js'
import {
  change,
  lockRow,
  POLICY_PARTS,
  recordPolicy,
  rowsAdded,
  type Origin,
  type Row,
  type Services,
} from '../store/index.js'
import { newHexId } from './ids.js'
import { admitPlan } from './plans.js'
import type { CreateZone } from './zone-input.js'
import { zoneNamed } from './zone-named.js'
import { zoneWire, type Zone } from './zone-wire.js'

/**
 * Adds a zone to an account, and the first version of its policy.
 * @throws {ApiError} 403 without the permission there, or for a plan that is not theirs to give; 400
 * when there is no such account in reach; 409 when there is a zone of this name or id
 */
export async function createZone(
  { db, newId }: Services,
  input: z.output<typeof CreateZone>,
  origin: Origin & { readonly actor: Actor },
): Promise<z.input<typeof Zone>> {
  const { id = newHexId(newId), name, account, type, upstream: to = null } = input
  const { plan = { id: 'free' } } = input
  const place = { account_id: account.id }
  const may = mayAt(origin.actor, 'zones:edit', place)
  if (may === 'forbidden') throw forbidden('zones:edit')
  if (may === 'allowed') admitPlan(origin.actor, place, 'free', plan.id)
  return change(db, newId, origin, async (under) => {
    const owner = may === 'hidden' ? undefined : await lockRow(under.tx, 'accounts', account.id)
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
      created_at: origin.at,
      updated_at: origin.at,
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
    under.record({ action: 'create', ...zoneNamed(row), after: wire })
    return wire
  })
}
