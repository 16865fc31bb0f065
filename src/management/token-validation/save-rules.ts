import type { Scheme } from '../../edge/expression/index.js'
import type { Selector } from '../../edge/selector/index.js'
import { ApiError, CODES as COMMON, message, type Message } from '../http/index.js'
import {
  changeZone,
  type Origin,
  type Row,
  type Services,
  type Transaction,
} from '../store/index.js'
import { compileRule, schemeOf } from './compile-rule.js'
import { lintRules } from './lint-rules.js'
import { closeGap, lastPlace, moveRule } from './rule-order.js'
import { getRule, rowsOf, ruleWire, type RuleRow } from './rule-rows.js'
import type { Position, Rule, UpdateRule } from './rule-schema.js'
import { deleteUses, writeUses, type RuleKey } from './rule-uses.js'

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
    return saved(tx, zone, rows, compiled, scheme, pointerOf)
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
    return saved(tx, zone, rows, compiled, scheme, pointerOf)
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
  zone: Row<'zones'>,
  rows: readonly RuleRow[],
  compiled: readonly Compiled[],
  scheme: Scheme,
  pointerOf: PointerOf,
): Promise<Saved> {
  const findings = await lintRules(tx, zone, rows, scheme, pointerOf)
  const messages = [...compiled.flatMap((rule) => rule.messages), ...findings]
  return { rules: rows.map(ruleWire), messages }
}

const columnsOf = (input: RuleInput) => ({
  title: input.title,
  description: input.description,
  action: input.action,
  enabled: input.enabled ? 1 : 0,
  expression: input.expression,
  selector: JSON.stringify(input.selector ?? {}),
})

const named = ({ id }: RuleKey) => ({ object_type: 'token_validation_rule', object_id: id })

/** Of a change of order the position is all there is to see. */
const audited = (row: RuleRow): object => ({ ...ruleWire(row), position: row.position })
