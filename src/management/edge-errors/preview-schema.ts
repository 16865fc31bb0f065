import { z } from '@hono/zod-openapi'
import { catalogue } from '../../edge/problem/index.js'
import { text } from '../http/index.js'
import { BrandingInput } from './branding-schema.js'
import { LIMITS } from './limits.js'
import { RuleInput } from './ruleset-schema.js'

const fieldValue = text(4096).regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'expected a value of one line')

/** A request that meets an error, as rules see it. */
const AskedRequest = z.strictObject({
  method: z
    .string()
    .regex(/^[A-Z]{1,20}$/)
    .default('GET'),
  url: z.url({ protocol: /^https?$/, error: 'expected an address of the zone' }).optional(),
  ip: z.union([z.ipv4(), z.ipv6()], 'expected an IP address').optional(),
  headers: z
    .array(
      z.strictObject({
        name: text(100).regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'expected the name of a header'),
        value: fieldValue,
      }),
    )
    .max(100)
    .default([]),
})

/** What is asked: an error of a request, answered by what is saved or by what might be. */
export const PreviewInput = z.strictObject({
  error_code: z
    .number()
    .int()
    .refine((code) => catalogue.has(code), 'expected the code of an edge error')
    .openapi({ example: 522 }),
  accept: fieldValue.nullish().openapi({ description: 'In place of a header of the request.' }),
  request: AskedRequest.prefault({}),
  rules: z
    .array(RuleInput)
    .max(LIMITS.rules)
    .optional()
    .openapi({ description: 'In place of the rules of the zone.' }),
  page: z.string().optional().openapi({ description: 'HTML in place of any page for this error.' }),
  branding: BrandingInput.optional().openapi({ description: 'In place of that of the zone.' }),
})
export type PreviewInput = z.output<typeof PreviewInput>

/** What a client would get, and which of the three priorities (spec 7.2) it comes from. */
export const Preview = z
  .object({
    answered_by: z.enum(['rule', 'page', 'default']),
    rule_id: z.string().nullable(),
    page: z.string().nullable().openapi({ description: 'Identifier of a saved page.' }),
    why: z.string(),
    status: z.number().int(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    body: z.string(),
  })
  .openapi('ErrorPreview')
