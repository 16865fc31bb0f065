import type { Row, Transaction } from './database.js'
import type { PolicyPart } from './policy-part.js'

/** A part of a zone's policy as the zone is now. */
export const composePart = (
  tx: Transaction,
  zone: Row<'zones'>,
  name: PolicyPart,
): Promise<unknown> => COMPOSE[name](tx, zone)

const COMPOSE: Readonly<
  Record<PolicyPart, (tx: Transaction, zone: Row<'zones'>) => Promise<unknown>>
> = {
  async zone(tx, { id }) {
    const row = await tx
      .selectFrom('zones')
      .select(['id', 'name', 'paused', 'upstream', 'settings', 'lists'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return {
      ...row,
      paused: row.paused === 1,
      settings: JSON.parse(row.settings),
      lists: JSON.parse(row.lists),
    }
  },

  async token_configurations(tx, { id }) {
    const configurations = await tx
      .selectFrom('token_configurations')
      .select(['id', 'title', 'description', 'token_sources'])
      .where('zone_id', '=', id)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    const keys = await tx
      .selectFrom('token_keys')
      .select(['configuration_id', 'public_key', 'secret_id'])
      .where('zone_id', '=', id)
      .orderBy('configuration_id')
      .orderBy('position')
      .execute()
    const remote = await tx
      .selectFrom('remote_key_sets')
      .select(['configuration_id', 'uri as jwks_uri', 'keys as remote_keys'])
      .where('zone_id', '=', id)
      .execute()
    const sets = new Map(
      remote.map(({ configuration_id, jwks_uri, remote_keys }) => [
        configuration_id,
        { jwks_uri, remote_keys: JSON.parse(remote_keys) },
      ]),
    )
    return configurations.map((configuration) => ({
      ...configuration,
      ...sets.get(configuration.id),
      token_sources: JSON.parse(configuration.token_sources),
      keys: keys
        .filter(({ configuration_id }) => configuration_id === configuration.id)
        .map(({ public_key, secret_id }) => ({
          ...JSON.parse(public_key),
          ...(secret_id !== null && { secret_id }),
        })),
    }))
  },

  operations: (tx, { id }) =>
    tx
      .selectFrom('operations')
      .select(['id as operation_id', 'method', 'host', 'endpoint'])
      .where('zone_id', '=', id)
      .orderBy('created_at')
      .orderBy('id')
      .execute(),

  async rules(tx, { id }) {
    const rows = await tx
      .selectFrom('rules')
      .select(['id', 'title', 'description', 'action', 'enabled', 'expression', 'selector'])
      .where('zone_id', '=', id)
      .orderBy('position')
      .execute()
    return rows.map((row) => ({
      ...row,
      enabled: row.enabled === 1,
      selector: JSON.parse(row.selector),
    }))
  },

  async edge_errors(tx, { id }) {
    const { plan } = await tx
      .selectFrom('zones')
      .select('plan')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const ruleset = await tx
      .selectFrom('error_rulesets')
      .select('rules')
      .where('zone_id', '=', id)
      .executeTakeFirst()
    const pages = await tx
      .selectFrom('error_pages')
      .select(['identifier', 'url', 'content'])
      .where('zone_id', '=', id)
      .orderBy('identifier')
      .execute()
    const look = await tx
      .selectFrom('error_branding')
      .select('branding')
      .where('zone_id', '=', id)
      .executeTakeFirst()
    return {
      plan,
      // When a rule was changed, and how often, is nothing to a gate.
      rules: (JSON.parse(ruleset?.rules ?? '[]') as readonly object[]).map((rule) => ({
        ...rule,
        version: undefined,
        updated_at: undefined,
      })),
      pages,
      branding: look === undefined ? null : JSON.parse(look.branding),
    }
  },
}
