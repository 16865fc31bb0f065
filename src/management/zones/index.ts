/** Accounts and zones: what everything else belongs to. */
import type { Endpoint } from '../http/index.js'
import type { Database, Services } from '../store/index.js'
import { accountRoutes } from './account-routes.js'
import { planRoutes } from './plans.js'
import { zoneRoutes } from './zone-routes.js'

export { restoreZone } from './restore-zone.js'

/** The endpoints of accounts and zones. */
export const zonesRoutes = (services: Services): readonly Endpoint[] => [
  ...accountRoutes(services),
  ...zoneRoutes(services),
  ...planRoutes(services.db),
]

/** Finds the account of a zone; `undefined` when there is no such zone. */
export const createAccountOf =
  (db: Database) =>
  async (zoneId: string): Promise<string | undefined> =>
    (await db.selectFrom('zones').select('account_id').where('id', '=', zoneId).executeTakeFirst())
      ?.account_id
