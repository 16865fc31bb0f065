import { canonicalHost } from '../../edge/selector/index.js'
import { offsetOf, type Listed, type Page } from '../http/index.js'
import { countOf, totalsOf, type Database } from '../store/index.js'
import { ruleWire } from './rule-rows.js'
import type { Rule } from './rule-schema.js'

/** What a list of rules is narrowed by; different members all have to hold. */
export interface RuleSearch extends Page {
  readonly id?: readonly string[] | undefined
  readonly rule_id?: readonly string[] | undefined
  readonly action?: 'log' | 'block' | undefined
  readonly enabled?: boolean | undefined
  readonly host?: string | undefined
  readonly hostname?: string | undefined
  readonly token_configuration?: readonly string[] | undefined
}

/** Rules of a zone in their order. */
export async function listRules(
  db: Database,
  zoneId: string,
  search: RuleSearch,
): Promise<Listed<Rule>> {
  const all = db.selectFrom('rules').where('zone_id', '=', zoneId)
  const { id, rule_id, action, enabled, host, hostname, token_configuration } = search
  let found = all
  for (const ids of [id, rule_id])
    if (ids !== undefined) found = found.where('id', 'in', ['', ...ids])
  if (action !== undefined) found = found.where('action', '=', action)
  if (enabled !== undefined) found = found.where('enabled', '=', enabled ? 1 : 0)
  for (const name of [host, hostname])
    if (name !== undefined)
      found = found.where(
        'id',
        'in',
        db
          .selectFrom('rule_hosts')
          .select('rule_id')
          .where('zone_id', '=', zoneId)
          .where('host', '=', canonicalHost(name) ?? name),
      )
  if (token_configuration !== undefined)
    found = found.where(
      'id',
      'in',
      db
        .selectFrom('rule_configurations')
        .select('rule_id')
        .where('zone_id', '=', zoneId)
        .where('configuration_id', 'in', ['', ...token_configuration]),
    )
  const offset = offsetOf(search)
  const isWhole = found === all
  // Places have no gaps, so a page of the whole list is found without walking to it.
  const page = isWhole ? found.where('position', '>', offset) : found.offset(offset)
  const rows = await page
    .selectAll()
    .orderBy('position')
    .orderBy('id')
    .limit(search.per_page)
    .execute()
  const { rules: total } = await totalsOf(db, zoneId)
  const matching = isWhole ? total : await countOf(found)
  return { items: rows.map(ruleWire), found: matching, total }
}
