import { endpoint, notFound, zoneIdOf, type Endpoint } from '../http/index.js'
import type { Services } from '../store/index.js'
import { Preview, PreviewInput } from './preview-schema.js'
import { preview } from './preview.js'

/** A look at an edge error before a client meets it. */
export const previewRoutes = (services: Services): readonly Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/zones/{zone_id}/edge_errors/preview',
    tag: 'Edge errors',
    summary: 'Tell what a client would get for an edge error, and why',
    permission: 'edge_errors:read',
    body: PreviewInput,
    result: Preview,
    async handle(call) {
      const zone = await services.db
        .selectFrom('zones')
        .selectAll()
        .where('id', '=', zoneIdOf(call))
        .executeTakeFirst()
      if (zone === undefined) throw notFound('zone')
      const { result, messages } = await preview(services, zone, call.body, call.at)
      call.note(...messages)
      return result
    },
  }),
]
