import { ApiError, endpoint, shownName, zoneIdOf, type Endpoint } from '../http/index.js'
import type { Services } from '../store/index.js'
import { CODES } from './codes.js'
import { PHASE, Ruleset, RulesetInput } from './ruleset-schema.js'
import { shownRuleset } from './ruleset-wire.js'
import { replaced, saveOfCall, Trial, Tried } from './save-of-call.js'
import { findRuleset } from './save-ruleset.js'

const TAG = 'Edge errors'
const PATH = '/zones/{zone_id}/rulesets/phases/{phase}/entrypoint'

/** The ruleset of a zone by its phase, `http_custom_errors`. Of other phases there is nothing here. */
export function entryPointRoutes(services: Services): readonly Endpoint[] {
  const { db } = services
  return [
    endpoint({
      method: 'get',
      path: PATH,
      tag: TAG,
      summary: 'Get the custom error rules in their order',
      permission: 'edge_errors:read',
      result: Ruleset,
      async handle(call) {
        const phase = call.param('phase')
        const row = phase === PHASE ? await findRuleset(db, zoneIdOf(call)) : undefined
        if (row === undefined) throw noEntryPoint(phase)
        return shownRuleset(db, call, row)
      },
    }),
    endpoint({
      method: 'put',
      path: PATH,
      tag: TAG,
      summary: 'Replace the custom error rules',
      permission: 'edge_errors:edit',
      query: Trial,
      body: RulesetInput,
      result: Tried,
      handle(call) {
        if (call.param('phase') !== PHASE) throw wrongPhase()
        return saveOfCall(services, call, (_, known) => replaced(call.body, known))
      },
    }),
  ]
}

const noEntryPoint = (phase: string): ApiError =>
  new ApiError(
    404,
    CODES.no_entry_point,
    `could not find entrypoint ruleset in the ${JSON.stringify(shownName(phase))} phase`,
  )

const wrongPhase = (): ApiError =>
  new ApiError(400, CODES.wrong_phase, `the one phase of rulesets here is ${PHASE}`)
