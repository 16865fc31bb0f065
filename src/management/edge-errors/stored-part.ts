import type { ErrorRule } from '../../edge/edge-errors/index.js'

/** A custom error rule as it is kept, but for what only answers tell. */
export interface StoredRule extends Required<ErrorRule> {
  /** The caller's own name for it, unique in the zone. */
  readonly ref: string
}

/** The part of a policy that is about edge errors: all there is, in force or not. */
export interface StoredPart {
  readonly plan: string
  readonly rules: readonly StoredRule[]
  /** By identifier. */
  readonly pages: readonly {
    readonly identifier: string
    readonly url: string | null
    readonly content: string
  }[]
  readonly branding: object | null
}

/** A rule as policies have it. */
export const ruleOfPolicy = ({
  id,
  expression,
  enabled,
  description,
  action_parameters,
}: StoredRule): ErrorRule => ({
  id,
  expression,
  ...(!enabled && { enabled }),
  ...(description !== '' && { description }),
  action_parameters,
})
