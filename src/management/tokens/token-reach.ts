import { forbidden, type Actor, type Permission } from '../http/index.js'
import type { Row } from '../store/index.js'
import { grantsOf, Policies } from './policies.js'
import { anywhere, within, type AccountOf } from './within.js'

/** How far callers reach among tokens. */
export interface TokenReach {
  /** Whether an actor has a permission wherever a token may do anything, and all that it may. */
  covers(actor: Actor, row: Row<'api_tokens'>, permission: Permission): Promise<boolean>
  /** @throws {ApiError} 403 when the policies grant more than the actor has */
  mayGrant(actor: Actor, policies: Policies): Promise<void>
}

/** Nobody gives a token more than they hold themselves, or looks into one that has more. */
export const createTokenReach = (accountOf: AccountOf): TokenReach => ({
  covers: (actor, row, permission) =>
    within(actor, grantsOf(JSON.parse(row.policies)), permission, accountOf),

  async mayGrant(actor, policies) {
    if (!anywhere(actor, 'api_tokens:edit')) throw forbidden('api_tokens:edit')
    if (!(await within(actor, grantsOf(policies), 'api_tokens:edit', accountOf)))
      throw forbidden(
        'api_tokens:edit, or one that the policies grant, in the whole of their scope',
      )
  },
})
