import { z } from '@hono/zod-openapi'
import { flagQuery, notFound, zoneIdOf, type Call } from '../http/index.js'
import type { Services } from '../store/index.js'
import type { KeptRule } from './ruleset-row.js'
import { Ruleset, type RulesetInput } from './ruleset-schema.js'
import { rulesetWire } from './ruleset-wire.js'
import { saveRuleset, type RulesetChange, type RulesetEdit } from './save-ruleset.js'

/** Without a trace: everything is checked as if it were done, and the result is null. */
export const Trial = z.object({ dry_run: flagQuery.optional() })
export const Tried = z.union([Ruleset, z.null()])
type TrialCall = Call<z.output<typeof Trial>, unknown>

/** A ruleset after a call; null after a trial. */
type Saved = z.input<typeof Ruleset> | null

/** Saves the ruleset of the zone that a call names. */
export async function saveOfCall(
  services: Services,
  call: TrialCall,
  edit: Parameters<typeof saveRuleset>[2],
): Promise<Saved> {
  const row = await saveRuleset(services, changeOf(call), edit, call.note)
  return row && rulesetWire(row)
}

/**
 * Saves the ruleset that the path of a call names.
 * @throws {ApiError} 404 when it is not that of the zone
 */
export const saveNamed = (
  services: Services,
  call: TrialCall,
  edit: (known: readonly KeptRule[]) => RulesetEdit,
): Promise<Saved> =>
  saveOfCall(services, call, (before, known) => {
    if (before?.id !== call.param('ruleset_id')) throw notFound('ruleset')
    return edit(known)
  })

/** The change that a call asks for. */
export const changeOf = (call: TrialCall): RulesetChange => ({
  actor: call.actor,
  request_id: call.request_id,
  at: call.at,
  zone_id: zoneIdOf(call),
  dry: call.query.dry_run === true,
})

/** A whole ruleset of a call, in place of what there is. */
export const replaced = (
  { name, description, rules }: z.output<typeof RulesetInput>,
  known: readonly KeptRule[],
): RulesetEdit => ({
  name,
  description,
  rules: rules ?? known,
  pointerOf: (_, at) => (rules === undefined ? undefined : `/rules/${at}`),
})
