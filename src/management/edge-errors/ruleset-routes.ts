import { z } from '@hono/zod-openapi'
import { ApiError, endpoint, notFound, zoneIdOf, type Endpoint } from '../http/index.js'
import type { Services } from '../store/index.js'
import { CODES } from './codes.js'
import { Ruleset, RulesetHead, RulesetInput } from './ruleset-schema.js'
import { rulesetHeadWire, shownRuleset } from './ruleset-wire.js'
import { changeOf, replaced, saveNamed, saveOfCall, Trial, Tried } from './save-of-call.js'
import { deleteRuleset, findRuleset } from './save-ruleset.js'

const TAG = 'Edge errors'
const READ = 'edge_errors:read'
const EDIT = 'edge_errors:edit'
const RULESETS = '/zones/{zone_id}/rulesets'
const RULESET = `${RULESETS}/{ruleset_id}`

/** Rulesets of custom error rules: a zone has at most one, by its id. */
export function rulesetRoutes(services: Services): readonly Endpoint[] {
  const { db } = services
  return [
    endpoint({
      method: 'get',
      path: RULESETS,
      tag: TAG,
      summary: 'List the rulesets of a zone, without their rules',
      permission: READ,
      result: z.array(RulesetHead),
      async handle(call) {
        const row = await findRuleset(db, zoneIdOf(call))
        return row === undefined ? [] : [rulesetHeadWire(row)]
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
        saveOfCall(services, call, (before, known) => {
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
        return shownRuleset(db, call, row)
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
      handle: (call) => saveNamed(services, call, (known) => replaced(call.body, known)),
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
  ]
}
