import {
  allows,
  mayAt,
  PERMISSIONS,
  reaches,
  type Actor,
  type Grant,
  type Permission,
  type Scope,
} from '../http/index.js'

/** Gives the account of a zone. */
export type AccountOf = (zoneId: string) => Promise<string | undefined>

/**
 * Whether an actor holds every permission of the grants itself, wherever they hold, and `needed`
 * there as well: nobody hands on, or looks into, more than they have.
 */
export async function within(
  actor: Actor,
  grants: readonly Grant[],
  needed: Permission,
  accountOf: AccountOf,
): Promise<boolean> {
  for (const { permissions, scope } of grants) {
    const covers = await covering(scope, accountOf)
    const own = actor.grants.filter(covers)
    const holds = (permission: Permission) => own.some((grant) => allows(grant, permission))
    if (!holds(needed) || ![...permissions].every(holds)) return false
  }
  return true
}

/** Tells the grants that hold in the whole of a scope. */
async function covering(scope: Scope, accountOf: AccountOf): Promise<(grant: Grant) => boolean> {
  if (scope.kind === 'all') return (grant) => grant.scope.kind === 'all'
  if (scope.kind === 'account') return (grant) => reaches(grant, { account_id: scope.id })
  const account = await accountOf(scope.id)
  const place = { zone_id: scope.id, ...(account !== undefined && { account_id: account }) }
  return (grant) => reaches(grant, place)
}

/** Whether an actor has a permission anywhere at all. */
export const anywhere = (actor: Actor, permission: Permission): boolean =>
  actor.grants.some((grant) => allows(grant, permission)) ||
  mayAt(actor, permission, {}) === 'allowed'

/** Whether an actor holds every permission everywhere: nothing is hidden from them. */
export function seesAll({ grants }: Actor): boolean {
  const everywhere = grants.filter(({ scope }) => scope.kind === 'all')
  return PERMISSIONS.every((permission) => everywhere.some((grant) => allows(grant, permission)))
}
