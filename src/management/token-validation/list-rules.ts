import { canonicalHost } from '../../edge/selector/index.js'
import { offsetOf, type Listed, type Page } from '../http/index.js'
import type { SelectQueryBuilder } from 'kysely'
import {
  snapshot,
  totalsOf,
  viewPage,
  type Database,
  type ListView,
  type Row,
  type Schema,
  type Transaction,
} from '../store/index.js'
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
export const listRules = (
  db: Database,
  zoneId: string,
  search: RuleSearch,
): Promise<Listed<Rule>> =>
  snapshot(db, async (tx) => {
    const { rules: total } = await totalsOf(tx, zoneId)
    const all = tx.selectFrom('rules').where('zone_id', '=', zoneId)
    const searched = narrowed(all, tx, zoneId, search)
    if (searched === all) {
      // Places have no gaps, so a page of the whole list is found without walking to it.
      const rows = await all
        .selectAll()
        .where('position', '>', offsetOf(search))
        .orderBy('position')
        .orderBy('id')
        .limit(search.per_page)
        .execute()
      return { items: rows.map(ruleWire), found: total, total }
    }
    const view: ListView<Row<'rules'>> = {
      of: [{ table: 'rules', scope: { column: 'zone_id', id: zoneId } }],
      ids: (way) => searched.select('id').orderBy('position', way).orderBy('id', way),
      rows: (_tx, ids) => all.selectAll().where('id', 'in', ids).execute(),
    }
    const { items, found } = await viewPage(db, tx, view, search)
    return { items: items.map(ruleWire), found, total }
  })

type Rules = SelectQueryBuilder<Schema, 'rules', object>

function narrowed(all: Rules, tx: Transaction, zoneId: string, search: RuleSearch): Rules {
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
        tx
          .selectFrom('rule_hosts')
          .select('rule_id')
          .where('zone_id', '=', zoneId)
          .where('host', '=', canonicalHost(name) ?? name),
      )
  if (token_configuration !== undefined)
    found = found.where(
      'id',
      'in',
      tx
        .selectFrom('rule_configurations')
        .select('rule_id')
        .where('zone_id', '=', zoneId)
        .where('configuration_id', 'in', ['', ...token_configuration]),
    )
  return found
}
