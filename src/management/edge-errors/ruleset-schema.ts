import { z } from '@hono/zod-openapi'
import type { ErrorRule } from '../../edge/edge-errors/index.js'
import { text } from '../http/index.js'
import { byteLength, LIMITS } from './limits.js'

/** The one phase of rulesets that there is here. */
export const PHASE = 'http_custom_errors'

/** Members of an answer that come back with a whole ruleset and say nothing there. */
const answered = { version: z.unknown().optional(), last_updated: z.unknown().optional() }

const content = z
  .string()
  .min(1)
  .refine((value) => byteLength(value) <= LIMITS.content, {
    message: `expected at most ${LIMITS.content} bytes`,
  })

type Parameters = ErrorRule['action_parameters']

/** JSON has no `undefined`, so the type is the edge's own. */
const ActionParameters = z
  .object({
    content,
    content_type: z.enum([
      'application/json',
      'text/html',
      'text/markdown',
      'text/plain',
      'text/xml',
    ]),
    status_code: z
      .number()
      .int()
      .min(400)
      .max(599)
      .optional()
      .openapi({ description: 'Of the answer. Without it, that of the error.' }),
  })
  .openapi('ServeErrorParameters') as z.ZodType<Parameters, Parameters>

const id = text(64, 1)
const ref = text(128, 1)
const action = z.literal('serve_error')
const expression = text(4096, 1).openapi({ example: 'http.response.code eq 522' })
const description = text(500)

/** A custom error rule as callers write it. */
export const RuleInput = z.object({
  id: id.optional(),
  ref: ref.optional(),
  action: action.default('serve_error'),
  action_parameters: ActionParameters,
  expression,
  description: description.default(''),
  enabled: z.boolean().default(true),
  ...answered,
})
export type RuleInput = z.output<typeof RuleInput>

/** Next to another rule, or at a place counted from 1. An empty name is the end of that side. */
export const RulePosition = z
  .union(
    [
      z.strictObject({ index: z.number().int().min(1) }),
      z.strictObject({ before: text(64) }),
      z.strictObject({ after: text(64) }),
    ],
    'expected one of {index}, {before} and {after}',
  )
  .openapi('ErrorRulePosition')
export type RulePosition = z.output<typeof RulePosition>

export const CreateRule = RuleInput.extend({ position: RulePosition.optional() })

/** What is left out stays as it is. */
export const UpdateRule = z.object({
  id: id.optional(),
  ref: ref.optional(),
  action: action.optional(),
  action_parameters: ActionParameters.optional(),
  expression: expression.optional(),
  description: description.optional(),
  enabled: z.boolean().optional(),
  position: RulePosition.optional(),
  ...answered,
})

/** A whole ruleset as callers write it. Without `rules` they stay as they are. */
export const RulesetInput = z.object({
  id: id.optional(),
  name: text(100, 1).optional(),
  description: description.optional(),
  kind: z.literal('zone').optional(),
  phase: z.literal(PHASE).optional(),
  rules: z.array(RuleInput).max(LIMITS.rules).optional(),
  ...answered,
})
export type RulesetInput = z.output<typeof RulesetInput>

const Rule = z
  .object({
    id: z.string(),
    version: z.string(),
    action,
    action_parameters: ActionParameters,
    expression: z.string(),
    description: z.string(),
    enabled: z.boolean(),
    ref: z.string(),
    last_updated: z.string(),
  })
  .openapi('ErrorRule')

/** A ruleset in a list. */
export const RulesetHead = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    kind: z.literal('zone'),
    phase: z.literal(PHASE),
    version: z.string(),
    last_updated: z.string(),
  })
  .openapi('RulesetHead')

/** A ruleset with its rules in their order; null where a call was for trial only. */
export const Ruleset = RulesetHead.extend({ rules: z.array(Rule) }).openapi('Ruleset')
