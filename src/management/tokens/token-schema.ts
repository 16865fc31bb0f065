import { z } from '@hono/zod-openapi'
import { text } from '../http/index.js'
import { moment, type Row } from '../store/index.js'
import type { TokenInput } from './api-tokens.js'
import { statusOf } from './authenticate.js'
import { Policies } from './policies.js'

/** Later times, in microseconds, are more than a number holds exactly. */
const LATEST = Date.parse('2200-01-01T00:00:00Z')
const time = z.iso
  .datetime({ offset: true })
  .refine((value) => Date.parse(value) < LATEST, 'expected a time before the year 2200')
/** What a token may be found as. */
export const tokenStatus = z.enum(['active', 'disabled', 'expired'])

/** A token as answers show it: without its text. */
export const ApiToken = z
  .object({
    id: z.string(),
    name: z.string(),
    status: tokenStatus,
    policies: z.array(z.unknown()),
    issued_on: z.string(),
    modified_on: z.string(),
    last_used_on: z.string().optional(),
    not_before: z.string().optional(),
    expires_on: z.string().optional(),
  })
  .openapi('ApiToken')

/** A token as its owner asks for it. */
export const TokenBody = z.object({
  name: text(120, 1),
  policies: Policies,
  not_before: time.nullish(),
  expires_on: time.nullish(),
})
export const TokenUpdate = TokenBody.extend({ status: z.enum(['active', 'disabled']).optional() })

const micros = (value: string | null | undefined): number | null =>
  typeof value === 'string' ? Date.parse(value) * 1000 : null

/** The same as it is kept. */
export const tokenInput = (body: z.output<typeof TokenUpdate>): TokenInput => ({
  name: body.name,
  policies: body.policies,
  not_before: micros(body.not_before),
  expires_at: micros(body.expires_on),
  ...(body.status !== undefined && { status: body.status }),
})

/** A token as answers show it at a time (epoch µs). */
export const tokenWire = (row: Row<'api_tokens'>, at: number) => ({
  id: row.id,
  name: row.name,
  status: statusOf(row, at),
  policies: JSON.parse(row.policies) as unknown[],
  issued_on: moment(row.created_at),
  modified_on: moment(row.updated_at),
  ...(row.last_used_at !== null && { last_used_on: moment(row.last_used_at) }),
  ...(row.not_before !== null && { not_before: moment(row.not_before) }),
  ...(row.expires_at !== null && { expires_on: moment(row.expires_at) }),
})
