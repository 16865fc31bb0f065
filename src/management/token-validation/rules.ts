import type { Scheme } from '../../edge/expression/index.js'
import { canonicalHost, type Selector } from '../../edge/selector/index.js'
import {
  ApiError,
  CODES as COMMON,
  message,
  notFound,
  offsetOf,
  type Listed,
  type Message,
  type Page,
} from '../http/index.js'
import {
  changeZone,
  countOf,
  inPieces,
  moment,
  totalsOf,
  type Database,
  type Origin,
  type Row,
  type Services,
  type Transaction,
} from '../store/index.js'
import { compileRule, includedHosts, schemeOf } from './compile-rule.js'
import { lintRules } from './lint-rules.js'
import { closeGap, lastPlace, moveRule } from './rule-order.js'
import type { Position, Rule, UpdateRule } from './rule-schema.js'

type RuleRow = Row<'rules'>

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

/** A rule as its author writes it. */
export interface RuleInput {
  readonly title: string
  readonly description: string
  readonly action: 'log' | 'block'
  readonly enabled: boolean
  readonly expression: string
  readonly selector: Selector | null
  readonly position?: Position | undefined
}

/** A change of a rule. */
export type RuleUpdate = UpdateRule & { readonly id: string }

/** Rules as they are after a change, and what is worth telling about them. */
export interface Saved {
  readonly rules: readonly Rule[]
  readonly messages: readonly Message[]
}

/** Gives the pointer to a rule of a call by its place in it. */
export type PointerOf = (at: number) => string

export const ruleWire = (row: RuleRow): Rule => ({
  id: row.id,
  title: row.title,
  description: row.description,
  action: row.action as 'log',
  enabled: row.enabled === 1,
  expression: row.expression,
  selector: JSON.parse(row.selector),
  created_at: moment(row.created_at),
  last_updated: moment(row.updated_at),
  modified_by: row.modified_by,
})

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

/** @throws {ApiError} 404 */
export async function getRule(db: Database, zoneId: string, id: string): Promise<RuleRow> {
  const row = await findRule(db, zoneId, id)
  if (row === undefined) throw notFound('rule')
  return row
}

const findRule = (db: Database, zoneId: string, id: string): Promise<RuleRow | undefined> =>
  db
    .selectFrom('rules')
    .selectAll()
    .where('zone_id', '=', zoneId)
    .where('id', '=', id)
    .executeTakeFirst()

const PARTS = ['rules'] as const

/** Adds rules, at the end unless they say where. All of them, or none. */
export async function createRules(
  { db, newId }: Services,
  zoneId: string,
  inputs: readonly RuleInput[],
  origin: Origin,
  pointerOf: PointerOf,
): Promise<Saved> {
  return changeZone(db, newId, { ...origin, zone_id: zoneId, parts: PARTS }, async (under) => {
    const { tx, at, actor, zone, record } = under
    const scheme = await schemeOf(tx, zone)
    const compiled = compileAll(inputs, scheme, pointerOf)
    const ids: string[] = []
    for (const [index, input] of inputs.entries()) {
      const id = newId()
      const position = (await lastPlace(tx, zoneId)) + 1
      const key = { zone_id: zoneId, id }
      const columns = { ...columnsOf(input), modified_by: actor.name, updated_at: at }
      await tx
        .insertInto('rules')
        .values({ ...key, ...columns, position, created_at: at })
        .execute()
      await writeUses(tx, key, input, compiled[index]!.configurations)
      if (input.position !== undefined)
        await moveRule(tx, { ...key, position }, input.position, pointerOf(index))
      ids.push(id)
    }
    const rows = await rowsOf(tx, zoneId, ids)
    for (const row of rows) record({ action: 'create', ...named(row), after: audited(row) })
    return saved(tx, zoneId, rows, compiled, scheme, pointerOf)
  })
}

/**
 * Changes rules, one after another. All of them, or none.
 * @throws {ApiError} 404 for a rule that is not there
 */
export async function updateRules(
  { db, newId }: Services,
  zoneId: string,
  updates: readonly RuleUpdate[],
  origin: Origin,
  pointerOf: PointerOf,
): Promise<Saved> {
  return changeZone(db, newId, { ...origin, zone_id: zoneId, parts: PARTS }, async (under) => {
    const { tx, at, actor, zone, record } = under
    const scheme = await schemeOf(tx, zone)
    const before = await rowsOf(
      tx,
      zoneId,
      updates.map(({ id }) => id),
    )
    const missing = updates.flatMap(({ id }, index) =>
      before.some((row) => row.id === id)
        ? []
        : [message(COMMON.not_found, 'there is no such rule', `${pointerOf(index)}/id`)],
    )
    if (missing.length > 0) throw ApiError.of(404, missing)
    const latest = new Map<string, RuleInput>(
      before.map((row) => [row.id, ruleWire(row) as RuleInput]),
    )
    const inputs = updates.map((update) => {
      const given = Object.entries(update).filter(([, value]) => value !== undefined)
      const input = { ...latest.get(update.id)!, position: undefined, ...Object.fromEntries(given) }
      latest.set(update.id, input)
      return input
    })
    const compiled = compileAll(inputs, scheme, pointerOf)
    for (const [index, input] of inputs.entries()) {
      const key = { zone_id: zoneId, id: updates[index]!.id }
      const columns = { ...columnsOf(input), modified_by: actor.name, updated_at: at }
      const { position } = await tx
        .updateTable('rules')
        .set(columns)
        .where('zone_id', '=', zoneId)
        .where('id', '=', key.id)
        .returning('position')
        .executeTakeFirstOrThrow()
      await writeUses(tx, key, input, compiled[index]!.configurations)
      if (input.position !== undefined)
        await moveRule(tx, { ...key, position }, input.position, pointerOf(index))
    }
    const rows = await rowsOf(
      tx,
      zoneId,
      updates.map(({ id }) => id),
    )
    for (const [index, row] of rows.entries())
      record({
        action: 'update',
        ...named(row),
        before: audited(before[index]!),
        after: audited(row),
      })
    return saved(tx, zoneId, rows, compiled, scheme, pointerOf)
  })
}

/** @throws {ApiError} 404 */
export async function deleteRule(
  { db, newId }: Services,
  zoneId: string,
  id: string,
  origin: Origin,
): Promise<void> {
  const change = { ...origin, zone_id: zoneId, parts: PARTS }
  await changeZone(db, newId, change, async ({ tx, record }) => {
    const row = await getRule(tx, zoneId, id)
    await tx.deleteFrom('rules').where('zone_id', '=', zoneId).where('id', '=', id).execute()
    await deleteUses(tx, row)
    await closeGap(tx, zoneId, row.position)
    record({ action: 'delete', ...named(row), before: audited(row) })
  })
}

interface Compiled {
  readonly configurations: readonly string[]
  readonly messages: readonly Message[]
}

/** Compiles each, so that every fault is told and not only those of the first rule. */
function compileAll(
  inputs: readonly RuleInput[],
  scheme: Scheme,
  pointerOf: PointerOf,
): readonly Compiled[] {
  const faults: Message[] = []
  const compiled = inputs.map(({ expression, selector }, at) => {
    try {
      const rule = compileRule({ expression, selector: selector ?? {} }, scheme, pointerOf(at))
      return { configurations: rule.predicate.uses.configurations, messages: rule.messages }
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      faults.push(...cause.errors)
      return { configurations: [], messages: [] }
    }
  })
  if (faults.length > 0) throw ApiError.of(400, faults)
  return compiled
}

async function saved(
  tx: Transaction,
  zoneId: string,
  rows: readonly RuleRow[],
  compiled: readonly Compiled[],
  scheme: Scheme,
  pointerOf: PointerOf,
): Promise<Saved> {
  const findings = await lintRules(tx, zoneId, rows, scheme, pointerOf)
  const messages = [...compiled.flatMap((rule) => rule.messages), ...findings]
  return { rules: rows.map(ruleWire), messages }
}

/** Rows in the order of ids. */
async function rowsOf(
  tx: Transaction,
  zoneId: string,
  ids: readonly string[],
): Promise<readonly RuleRow[]> {
  const rows = await tx
    .selectFrom('rules')
    .selectAll()
    .where('zone_id', '=', zoneId)
    .where('id', 'in', ['', ...ids])
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const columnsOf = (input: RuleInput) => ({
  title: input.title,
  description: input.description,
  action: input.action,
  enabled: input.enabled ? 1 : 0,
  expression: input.expression,
  selector: JSON.stringify(input.selector ?? {}),
})

type RuleKey = Pick<RuleRow, 'zone_id' | 'id'>

/** Writes down which hosts and configurations a rule is found by. */
async function writeUses(
  tx: Transaction,
  rule: RuleKey,
  { selector }: RuleInput,
  configurations: readonly string[],
): Promise<void> {
  await deleteUses(tx, rule)
  const key = { zone_id: rule.zone_id, rule_id: rule.id }
  const hosts = includedHosts(selector ?? {}).map((host) => ({ ...key, host }))
  for (const rows of inPieces(hosts)) await tx.insertInto('rule_hosts').values(rows).execute()
  const uses = configurations.map((configuration_id) => ({ ...key, configuration_id }))
  for (const rows of inPieces(uses))
    await tx.insertInto('rule_configurations').values(rows).execute()
}

async function deleteUses(tx: Transaction, { zone_id, id }: RuleKey): Promise<void> {
  for (const table of ['rule_hosts', 'rule_configurations'] as const)
    await tx.deleteFrom(table).where('zone_id', '=', zone_id).where('rule_id', '=', id).execute()
}

const named = ({ id }: RuleKey) => ({ object_type: 'token_validation_rule', object_id: id })

/** Of a change of order the position is all there is to see. */
const audited = (row: RuleRow): object => ({ ...ruleWire(row), position: row.position })
