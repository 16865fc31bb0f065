import { message, type Message } from '../http/index.js'
import { CODES } from './codes.js'
import { saying, type KeptRule } from './ruleset-row.js'
import type { StoredRule } from './stored-part.js'

/** A rule that is to be kept: which one it is says its id, else its ref, else it is new. */
export type Draft = Omit<StoredRule, 'id' | 'ref'> & {
  readonly id?: string | undefined
  readonly ref?: string | undefined
}

/** Gives drafts the identity, version and time of the rules that they are. */
export function settleRules(
  drafts: readonly Draft[],
  before: readonly KeptRule[],
  { newId, at }: { readonly newId: () => string; readonly at: number },
  pointerOf: (at: number) => string,
): { readonly rules: readonly KeptRule[]; readonly faults: readonly Message[] } {
  const byId = new Map(before.map((rule) => [rule.id, rule]))
  const byRef = new Map(before.map((rule) => [rule.ref, rule]))
  const faults: Message[] = []
  const taken = { id: new Set<string>(), ref: new Set<string>() }
  const rules = drafts.map((draft, index): KeptRule => {
    const known = draft.id === undefined ? byRef.get(draft.ref ?? '') : byId.get(draft.id)
    if (draft.id !== undefined && known === undefined) {
      const text = 'there is no such rule in the ruleset: without an id a new one is made'
      faults.push(message(CODES.unknown_rule, text, `${pointerOf(index)}/id`))
    }
    const id = known?.id ?? newId().replaceAll('-', '')
    const { expression, enabled, description, action_parameters } = draft
    const ref = draft.ref ?? known?.ref ?? id
    const rule = { id, ref, expression, enabled, description, action_parameters }
    for (const name of ['id', 'ref'] as const) {
      if (taken[name].has(rule[name]))
        faults.push(
          message(
            CODES.not_unique,
            'expected one rule of this name',
            `${pointerOf(index)}/${name}`,
          ),
        )
      taken[name].add(rule[name])
    }
    if (known !== undefined && JSON.stringify(saying(known)) === JSON.stringify(rule)) return known
    return { ...rule, version: (known?.version ?? 0) + 1, updated_at: at }
  })
  return { rules, faults }
}
