import { ApiError, message, type Message } from '../http/index.js'
import { writeKeySetUri } from '../key-sets/index.js'
import { changeZone, type Change, type Origin, type Row, type Services } from '../store/index.js'
import { CODES } from './codes.js'
import { getConfiguration, type ConfigurationRef } from './configuration-rows.js'

/**
 * Deletes a configuration with its keys.
 * @throws {ApiError} 404, or 409 with a message for everything that names the configuration
 */
export async function deleteConfiguration(
  { db, newId }: Services,
  ref: ConfigurationRef,
  origin: Origin,
): Promise<void> {
  const { zone_id, id } = ref
  const change = { ...origin, zone_id, parts: ['token_configurations'] as const }
  await changeZone(db, newId, change, async (under) => {
    const { tx, zone, record } = under
    const before = await getConfiguration(tx, ref)
    const users = [...(await rulesNaming(tx, ref)), ...headersNaming(zone, id)]
    if (users.length > 0) {
      const text = `the token configuration is in use in ${users.length} places`
      throw ApiError.of(409, [message(CODES.in_use, text), ...users])
    }
    await tx
      .deleteFrom('token_keys')
      .where('zone_id', '=', zone_id)
      .where('configuration_id', '=', id)
      .execute()
    await writeKeySetUri(under, { zone_id, configuration_id: id }, null)
    await tx
      .deleteFrom('token_configurations')
      .where('zone_id', '=', zone_id)
      .where('id', '=', id)
      .execute()
    record({ action: 'delete', object_type: 'token_configuration', object_id: id, before })
  })
}

async function rulesNaming(
  tx: Change['tx'],
  { zone_id, id }: ConfigurationRef,
): Promise<readonly Message[]> {
  const rules = await tx
    .selectFrom('rule_configurations')
    .innerJoin('rules', (join) =>
      join
        .onRef('rules.zone_id', '=', 'rule_configurations.zone_id')
        .onRef('rules.id', '=', 'rule_configurations.rule_id'),
    )
    .select(['rules.id', 'rules.title'])
    .where('rule_configurations.zone_id', '=', zone_id)
    .where('configuration_id', '=', id)
    .orderBy('rules.position')
    .execute()
  return rules.map((rule) =>
    message(CODES.in_use, `the rule ${rule.id} (${JSON.stringify(rule.title)}) names it`),
  )
}

function headersNaming({ settings }: Row<'zones'>, id: string): readonly Message[] {
  const { claim_headers = [] } = JSON.parse(settings) as {
    claim_headers?: readonly { header: string; configuration_id: string }[]
  }
  return claim_headers
    .filter(({ configuration_id }) => configuration_id === id)
    .map(({ header }) => message(CODES.in_use, `the claim header ${header} names it`))
}
