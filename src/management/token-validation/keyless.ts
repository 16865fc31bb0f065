import { keySetsOf, namesOf } from '../key-sets/index.js'
import type { Transaction } from '../store/index.js'

/** Configurations of a zone without any key to verify with, neither their own nor their issuer's. */
export async function keylessConfigurations(
  tx: Transaction,
  zoneId: string,
): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('token_configurations')
    .select('id')
    .where('zone_id', '=', zoneId)
    .where(({ eb, not, exists }) =>
      not(
        exists(
          eb
            .selectFrom('token_keys')
            .select('kid')
            .where('token_keys.zone_id', '=', zoneId)
            .whereRef('token_keys.configuration_id', '=', 'token_configurations.id'),
        ),
      ),
    )
    .execute()
  const ids = rows.map(({ id }) => id)
  const sets = await keySetsOf(tx, zoneId, ids)
  return new Set(
    ids.filter((id) => {
      const set = sets.get(id)
      return set === undefined || namesOf(set).size === 0
    }),
  )
}
