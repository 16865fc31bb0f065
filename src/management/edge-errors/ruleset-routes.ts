import { z } from '@hono/zod-openapi'
import {
  ApiError,
  endpoint,
  flagQuery,
  notFound,
  zoneIdOf,
  shownName,
  type Call,
  type Endpoint,
} from '../http/index.js'
import { moment, type Row, type Services } from '../store/index.js'
import { CODES } from './codes.js'
import { placeRule } from './place-rule.js'
import { rulesOf, ruleWire, type KeptRule } from './ruleset-row.js'
import {
  CreateRule,
  PHASE,
  Ruleset,
  RulesetHead,
  RulesetInput,
  UpdateRule,
} from './ruleset-schema.js'
import {
  deleteRuleset,
  findRuleset,
  notInForce,
  saveRuleset,
  type RulesetChange,
  type RulesetEdit,
} from './save-ruleset.js'
import type { Draft } from './settle-rules.js'

const TAG = 'Edge errors'
const READ = 'edge_errors:read'
const EDIT = 'edge_errors:edit'
const RULESETS = '/zones/{zone_id}/rulesets'
const RULESET = `${RULESETS}/{ruleset_id}`
const ENTRY_POINT = `${RULESETS}/phases/{phase}/entrypoint`

type RulesetRow = Row<'error_rulesets'>
type AnyCall = Call<unknown, unknown>

/** Without a trace: everything is checked as if it were done, and the result is null. */
const Trial = z.object({ dry_run: flagQuery.optional() })
const Tried = z.union([Ruleset, z.null()])
type TrialCall = Call<z.output<typeof Trial>, unknown>

const headWire = (row: RulesetRow): z.input<typeof RulesetHead> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  kind: 'zone',
  phase: PHASE,
  version: String(row.version),
  last_updated: moment(row.updated_at),
})

const wire = (row: RulesetRow | null): z.input<typeof Ruleset> | null =>
  row && { ...headWire(row), rules: rulesOf(row).map(ruleWire) }

const noEntryPoint = (phase: string): ApiError =>
  new ApiError(
    404,
    CODES.no_entry_point,
    `could not find entrypoint ruleset in the ${JSON.stringify(shownName(phase))} phase`,
  )

const changeOf = (call: TrialCall): RulesetChange => ({
  actor: call.actor,
  request_id: call.request_id,
  at: call.at,
  zone_id: zoneIdOf(call),
  dry: call.query.dry_run === true,
})

/** A whole ruleset of a call, in place of what there is. */
const replaced = (
  { name, description, rules }: z.output<typeof RulesetInput>,
  known: readonly KeptRule[],
): RulesetEdit => ({
  name,
  description,
  rules: rules ?? known,
  pointerOf: (_, at) => (rules === undefined ? undefined : `/rules/${at}`),
})

/**
 * Custom error rules: the ruleset of a zone for the phase `http_custom_errors`, by its phase and by
 * its id. Of other phases there is nothing here.
 */
export function rulesetRoutes(services: Services): readonly Endpoint[] {
  const { db } = services

  async function shown(call: AnyCall, row: RulesetRow): Promise<z.input<typeof Ruleset>> {
    const { plan } = await db
      .selectFrom('zones')
      .select('plan')
      .where('id', '=', row.zone_id)
      .executeTakeFirstOrThrow()
    call.note(...notInForce(row, plan))
    return wire(row)!
  }

  const save = async (call: TrialCall, edit: Parameters<typeof saveRuleset>[2]) =>
    wire(await saveRuleset(services, changeOf(call), edit, call.note))

  /** Saves the ruleset that the path names. */
  const saveNamed = (
    call: TrialCall,
    edit: (known: readonly KeptRule[]) => RulesetEdit,
  ): Promise<z.input<typeof Ruleset> | null> =>
    save(call, (before, known) => {
      if (before?.id !== call.param('ruleset_id')) throw notFound('ruleset')
      return edit(known)
    })

  return [
    endpoint({
      method: 'get',
      path: ENTRY_POINT,
      tag: TAG,
      summary: 'Get the custom error rules in their order',
      permission: READ,
      result: Ruleset,
      async handle(call) {
        const phase = call.param('phase')
        const row = phase === PHASE ? await findRuleset(db, zoneIdOf(call)) : undefined
        if (row === undefined) throw noEntryPoint(phase)
        return shown(call, row)
      },
    }),
    endpoint({
      method: 'put',
      path: ENTRY_POINT,
      tag: TAG,
      summary: 'Replace the custom error rules',
      permission: EDIT,
      query: Trial,
      body: RulesetInput,
      result: Tried,
      handle(call) {
        if (call.param('phase') !== PHASE) throw wrongPhase()
        return save(call, (_, known) => replaced(call.body, known))
      },
    }),
    endpoint({
      method: 'get',
      path: RULESETS,
      tag: TAG,
      summary: 'List the rulesets of a zone, without their rules',
      permission: READ,
      result: z.array(RulesetHead),
      async handle(call) {
        const row = await findRuleset(db, zoneIdOf(call))
        return row === undefined ? [] : [headWire(row)]
      },
    }),
    endpoint({
      method: 'post',
      path: RULESETS,
      tag: TAG,
      summary: 'Create the ruleset of custom error rules',
      permission: EDIT,
      query: Trial,
      body: RulesetInput.required({ name: true, kind: true, phase: true }),
      result: Tried,
      handle: (call) =>
        save(call, (before, known) => {
          if (before !== undefined)
            throw new ApiError(
              409,
              CODES.not_unique,
              `there is a ruleset of this phase: ${before.id}`,
              '/phase',
            )
          return replaced(call.body, known)
        }),
    }),
    endpoint({
      method: 'get',
      path: RULESET,
      tag: TAG,
      summary: 'Get a ruleset',
      permission: READ,
      result: Ruleset,
      async handle(call) {
        const row = await findRuleset(db, zoneIdOf(call))
        if (row?.id !== call.param('ruleset_id')) throw notFound('ruleset')
        return shown(call, row)
      },
    }),
    endpoint({
      method: 'put',
      path: RULESET,
      tag: TAG,
      summary: 'Replace the rules of a ruleset',
      permission: EDIT,
      query: Trial,
      body: RulesetInput,
      result: Tried,
      handle: (call) => saveNamed(call, (known) => replaced(call.body, known)),
    }),
    endpoint({
      method: 'delete',
      path: RULESET,
      tag: TAG,
      summary: 'Delete a ruleset with all its versions',
      permission: EDIT,
      query: Trial,
      result: z.object({ id: z.string() }).nullable(),
      handle: (call) => deleteRuleset(services, changeOf(call), call.param('ruleset_id')),
    }),
    endpoint({
      method: 'post',
      path: `${RULESET}/rules`,
      tag: TAG,
      summary: 'Add a rule to a ruleset, at the end unless it says where',
      permission: EDIT,
      query: Trial,
      body: CreateRule,
      result: Tried,
      handle: (call) =>
        saveNamed(call, (known) => {
          const { position, ...rule } = call.body
          const rules = placeRule<Draft>([...known, rule], rule, position)
          return { rules, pointerOf: (each) => (each === rule ? '' : undefined) }
        }),
    }),
    endpoint({
      method: 'patch',
      path: `${RULESET}/rules/{rule_id}`,
      tag: TAG,
      summary: 'Change a rule of a ruleset, or its place',
      permission: EDIT,
      query: Trial,
      body: UpdateRule,
      result: Tried,
      handle: (call) =>
        saveNamed(call, (known) => {
          const before = ruleOf(known, call.param('rule_id'))
          const { position, ...changes } = call.body
          const given = Object.entries(changes).filter(([, value]) => value !== undefined)
          const rule: Draft = { ...before, ...Object.fromEntries(given), id: before.id }
          const changed = known.map((each) => (each === before ? rule : each))
          const rules = placeRule<Draft>(changed, rule, position)
          return { rules, pointerOf: (each) => (each === rule ? '' : undefined) }
        }),
    }),
    endpoint({
      method: 'delete',
      path: `${RULESET}/rules/{rule_id}`,
      tag: TAG,
      summary: 'Delete a rule of a ruleset',
      permission: EDIT,
      query: Trial,
      result: Tried,
      handle: (call) =>
        saveNamed(call, (known) => {
          const gone = ruleOf(known, call.param('rule_id'))
          return { rules: known.filter((each) => each !== gone), pointerOf: () => undefined }
        }),
    }),
  ]
}

function ruleOf(known: readonly KeptRule[], id: string): KeptRule {
  const rule = known.find((each) => each.id === id)
  if (rule === undefined) throw notFound('rule')
  return rule
}

const wrongPhase = (): ApiError =>
  new ApiError(400, CODES.wrong_phase, `the one phase of rulesets here is ${PHASE}`)
