import { z } from '@hono/zod-openapi'
import type { Selector } from '../../edge/selector/index.js'
import { text } from '../http/index.js'
import { description, title } from './configuration-schema.js'

const host = text(253, 1)
const operationId = text(64, 1)

/**
 * Spec 2.4. `host` is one host or a list, and is answered in the form it was given. JSON has no
 * `undefined`, so the type is the edge's own.
 */
export const SelectorSchema = z
  .object({
    include: z
      .array(
        z.object({
          host: z.union([host, z.array(host)], 'expected a host or a list of them').nullish(),
        }),
      )
      .nullish(),
    exclude: z.array(z.object({ operation_ids: z.array(operationId).nullish() })).nullish(),
  })
  .openapi('Selector') as z.ZodType<Selector, Selector>

/** Null says the same as leaving the selector out. */
const orNull = z.union([SelectorSchema, z.null()], 'expected a selector or null')

const action = z.enum(['log', 'block'])
const expression = text(4096, 1).openapi({ example: 'is_jwt_valid("<configuration id>")' })

/** Where a rule goes in the order of precedence: a place counted from 1, or next to another rule. */
export const Position = z
  .union(
    [
      z.strictObject({ index: z.number().int().min(1) }),
      z.strictObject({ before: operationId }),
      z.strictObject({ after: operationId }),
    ],
    'expected one of {index}, {before} and {after}',
  )
  .openapi('Position')
export type Position = z.output<typeof Position>

export const Rule = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    action,
    enabled: z.boolean(),
    expression: z.string(),
    selector: SelectorSchema,
    created_at: z.string(),
    last_updated: z.string(),
    modified_by: z.string(),
  })
  .openapi('TokenValidationRule')
export type Rule = z.input<typeof Rule>

export const CreateRule = z.object({
  title: title.default(''),
  description: description.default(''),
  action,
  enabled: z.boolean().default(true),
  expression,
  selector: orNull.default({}),
  position: Position.optional(),
})

export const UpdateRule = z.object({
  title: title.optional(),
  description: description.optional(),
  action: action.optional(),
  enabled: z.boolean().optional(),
  expression: expression.optional(),
  selector: orNull.optional(),
  position: Position.optional(),
})
export type UpdateRule = z.output<typeof UpdateRule>

/** Rules in one bulk call. */
export const MAX_BULK = 1000
