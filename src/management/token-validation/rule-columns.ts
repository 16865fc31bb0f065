import type { Selector } from '../../edge/selector/index.js'
import type { Position } from './rule-schema.js'

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

/** The columns that an author writes. */
export const ruleColumns = (input: RuleInput) => ({
  title: input.title,
  description: input.description,
  action: input.action,
  enabled: input.enabled ? 1 : 0,
  expression: input.expression,
  selector: JSON.stringify(input.selector ?? {}),
})
