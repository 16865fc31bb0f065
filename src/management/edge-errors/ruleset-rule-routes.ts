import { endpoint, notFound, type Endpoint } from '../http/index.js'
import type { Services } from '../store/index.js'
import { placeRule } from './place-rule.js'
import type { KeptRule } from './ruleset-row.js'
import { CreateRule, UpdateRule } from './ruleset-schema.js'
import { saveNamed, Trial, Tried } from './save-of-call.js'
import type { Draft } from './settle-rules.js'

const TAG = 'Edge errors'
const EDIT = 'edge_errors:edit'
const RULES = '/zones/{zone_id}/rulesets/{ruleset_id}/rules'
const RULE = `${RULES}/{rule_id}`

/** Single rules of a ruleset. Each change makes the ruleset anew. */
export const rulesetRuleRoutes = (services: Services): readonly Endpoint[] => [
  endpoint({
    method: 'post',
    path: RULES,
    tag: TAG,
    summary: 'Add a rule to a ruleset, at the end unless it says where',
    permission: EDIT,
    query: Trial,
    body: CreateRule,
    result: Tried,
    handle: (call) =>
      saveNamed(services, call, (known) => {
        const { position, ...rule } = call.body
        const rules = placeRule<Draft>([...known, rule], rule, position)
        return { rules, pointerOf: (each) => (each === rule ? '' : undefined) }
      }),
  }),
  endpoint({
    method: 'patch',
    path: RULE,
    tag: TAG,
    summary: 'Change a rule of a ruleset, or its place',
    permission: EDIT,
    query: Trial,
    body: UpdateRule,
    result: Tried,
    handle: (call) =>
      saveNamed(services, call, (known) => {
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
    path: RULE,
    tag: TAG,
    summary: 'Delete a rule of a ruleset',
    permission: EDIT,
    query: Trial,
    result: Tried,
    handle: (call) =>
      saveNamed(services, call, (known) => {
        const gone = ruleOf(known, call.param('rule_id'))
        return { rules: known.filter((each) => each !== gone), pointerOf: () => undefined }
      }),
  }),
]

function ruleOf(known: readonly KeptRule[], id: string): KeptRule {
  const rule = known.find((each) => each.id === id)
  if (rule === undefined) throw notFound('rule')
  return rule
}
