import { z } from '@hono/zod-openapi'
import {
  bareEndpoint,
  endpoint,
  listEndpoint,
  notFound,
  pageQuery,
  zoneIdOf,
  type Endpoint,
} from '../http/index.js'
import { moment, type Services } from '../store/index.js'
import { eventStream, type EventStreamOptions } from './event-stream.js'
import { GATE_PATH, TAG } from './paths.js'
import { rollBack, type Restores } from './rollback.js'
import { listVersions, newestVersion, type Version } from './versions.js'

const PolicyVersion = z
  .object({
    version: z.number().int(),
    hash: z.string(),
    created_at: z.string(),
    actor_id: z.string(),
    in_force: z.boolean(),
  })
  .openapi('PolicyVersion')

const wire = (
  { created_at, ...row }: Version,
  inForce: number | undefined,
): z.input<typeof PolicyVersion> => ({
  ...row,
  created_at: moment(created_at),
  in_force: row.version === inForce,
})

interface VersionServices
  extends Pick<Services, 'db' | 'newId'>, Pick<EventStreamOptions, 'news' | 'every'> {
  readonly restores: Restores
}

/** Versions of a zone's policy: those there were, each new one as it comes, and the way back. */
export const versionRoutes = ({
  db,
  newId,
  restores,
  news,
  every,
}: VersionServices): readonly Endpoint[] => [
  bareEndpoint({
    method: 'get',
    path: `${GATE_PATH}/events`,
    tag: TAG,
    summary: 'Hear of each new version of the policy (server-sent events)',
    permission: 'gate',
    mediaType: 'text/event-stream',
    headers: z.object({
      'last-event-id': z
        .string()
        .optional()
        .openapi({ description: 'The newest version that is known already.' }),
    }),
    result: z.string(),
    async handle(call) {
      const zoneId = zoneIdOf(call)
      const known = Number(call.header('last-event-id') ?? Number.NaN)
      const newest = () => newestVersion(db, zoneId)
      return new Response(eventStream({ news, every, zoneId, newest, known }), {
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
      const items = listed.items.map((row) => wire(row, newest?.version))
      return { ...listed, items }
    },
  }),
  endpoint({
    method: 'post',
    path: `${GATE_PATH}/rollback`,
    tag: TAG,
    summary: 'Go back to an earlier version of the policy, as a new one',
    permission: 'operator',
    body: z.object({ version: z.number().int().min(1) }),
    result: PolicyVersion,
    async handle(call) {
      const zone_id = zoneIdOf(call)
      await rollBack({ db, newId }, restores, { zone_id, version: call.body.version }, call)
      const newest = await newestVersion(db, zone_id)
      if (newest === undefined) throw notFound('zone')
      return wire(newest, newest.version)
    },
  }),
]
