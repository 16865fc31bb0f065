import { z } from '@hono/zod-openapi'
import { canonicalHost, isOrigin } from '../../edge/selector/index.js'
import { givenId } from './ids.js'
import { PlanChoice } from './plans.js'

const hostName = z
  .string()
  .max(253)
  .transform((value, context) => {
    const name = canonicalHost(value)
    if (name !== undefined && !name.includes('{')) return name
    context.addIssue({ code: 'custom', message: 'expected a host name such as example.com' })
    return z.NEVER
  })

const upstream = z
  .string()
  .max(2048)
  .refine(isOrigin, 'expected http(s)://host[:port] without a path, such as http://127.0.0.1:9000')
  .nullable()

/** What a zone is made of. */
export const CreateZone = z.object({
  id: givenId.optional(),
  name: hostName.openapi({ type: 'string' }),
  account: z.object({ id: z.string().max(64) }),
  type: z.enum(['full', 'partial', 'secondary', 'internal']).default('full'),
  upstream: upstream.optional(),
  plan: PlanChoice.optional(),
})
/** What of a zone may be changed. */
export const UpdateZone = z.object({
  paused: z.boolean().optional(),
  upstream: upstream.optional(),
  plan: PlanChoice.optional(),
})
