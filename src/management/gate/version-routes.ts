import { z } from '@hono/zod-openapi'
import { bareEndpoint, listEndpoint, pageQuery, zoneIdOf, type Endpoint } from '../http/index.js'
import { moment, type Database } from '../store/index.js'
import { eventStream, type EventStreamOptions } from './event-stream.js'
import { GATE_PATH, TAG } from './paths.js'
import { listVersions, newestVersion } from './versions.js'

const PolicyVersion = z
  .object({
    version: z.number().int(),
    hash: z.string(),
    created_at: z.string(),
    actor_id: z.string(),
    in_force: z.boolean(),
  })
  .openapi('PolicyVersion')

/** Versions of a zone's policy: those there were, and each new one as it comes. */
export const versionRoutes = ({
  db,
  ...streams
}: { readonly db: Database } & Pick<EventStreamOptions, 'news' | 'every'>): readonly Endpoint[] => [
  bareEndpoint({
    method: 'get',
    path: `${GATE_PATH}/events`,
    tag: TAG,
    summary: 'Hear of each new version of the policy (server-sent events)',
    permission: 'gate',
    mediaType: 'text/event-stream',
    result: z.string(),
    async handle(call) {
      const zoneId = zoneIdOf(call)
      const known = Number(call.header('last-event-id') ?? Number.NaN)
      const newest = () => newestVersion(db, zoneId)
      return new Response(eventStream({ ...streams, zoneId, newest, known }), {
        headers: { 'Cache-Control': 'no-store', 'Content-Type': 'text/event-stream' },
      })
    },
  }),
  listEndpoint({
    method: 'get',
    path: `${GATE_PATH}/versions`,
    tag: TAG,
    summary: 'List the versions of the policy, the newest first',
    permission: 'gate',
    query: z.object(pageQuery),
    result: PolicyVersion,
    async handle(call) {
      const listed = await listVersions(db, zoneIdOf(call), call.query)
      const newest = await newestVersion(db, zoneIdOf(call))
      const items = listed.items.map(({ created_at, ...row }) => ({
        ...row,
        created_at: moment(created_at),
        in_force: row.version === newest?.version,
      }))
      return { ...listed, items }
    },
  }),
]
