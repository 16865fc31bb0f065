import { z } from '@hono/zod-openapi'
import { bareEndpoint, notFound, zoneIdOf, type Endpoint } from '../http/index.js'
import { GATE_PATH, TAG } from './paths.js'
import type { PolicyOf } from './policy-document.js'

const Policy = z
  .looseObject({ id: z.string(), name: z.string(), version: z.number().int() })
  .openapi('GatePolicy', { description: 'The policy of a zone as a gate compiles it.' })

/** The policy itself, for gates: whoever may fetch it holds the secrets of its keys. */
export const policyRoutes = (policyOf: PolicyOf): readonly Endpoint[] => [
  bareEndpoint({
    method: 'get',
    path: `${GATE_PATH}/policy`,
    tag: TAG,
    summary: 'Get the policy in force, or 304 with If-None-Match',
    permission: 'gate',
    mediaType: 'application/json',
    headers: z.object({ 'if-none-match': z.string().optional() }),
    notModified: 'The policy in force is the one that `If-None-Match` names.',
    result: Policy,
    async handle(call) {
      const policy = await policyOf(zoneIdOf(call))
      if (policy === undefined) throw notFound('zone')
      const { version, hash, zone } = policy
      const headers = {
        'Cache-Control': 'private, no-cache',
        ETag: `"${hash}"`,
        'X-Policy-Version': String(version),
      }
      if (names(call.header('if-none-match'), hash))
        return new Response(null, { status: 304, headers })
      return Response.json({ ...zone, version }, { headers })
    },
  }),
]

/** Whether `If-None-Match` (RFC 9110, 13.1.2) names an entity tag, weak or not. */
const names = (header: string | undefined, hash: string): boolean =>
  (header ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === `"${hash}"`)
