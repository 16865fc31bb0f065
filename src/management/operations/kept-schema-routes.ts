import { z } from '@hono/zod-openapi'
import {
  endpoint,
  flagQuery,
  listEndpoint,
  notFound,
  pageQuery,
  zoneIdOf,
  type Endpoint,
} from '../http/index.js'
import type { Services } from '../store/index.js'
import { notValidated } from './not-validated.js'
import { TAG as tag } from './schema-paths.js'
import { Schema, wire } from './schema-wire.js'
import { deleteSchema, findSchema, listSchemas, updateSchema } from './schemas.js'

/** What may be done with a schema once it is there. */
export function keptSchemaRoutes(services: Services, base: string): readonly Endpoint[] {
  const { db } = services
  const path = `${base}/{schema_id}`
  return [
    listEndpoint({
      method: 'get',
      path: base,
      tag,
      summary: 'List schemas',
      permission: 'operations:read',
      query: z.object({
        ...pageQuery,
        omit_source: flagQuery.optional(),
        validation_enabled: flagQuery.optional(),
      }),
      result: Schema,
      async handle(call) {
        const listed = await listSchemas(db, zoneIdOf(call), call.query)
        return { ...listed, items: listed.items.map((row) => wire(row, row.source)) }
      },
    }),
    endpoint({
      method: 'get',
      path,
      tag,
      summary: 'Get a schema',
      permission: 'operations:read',
      query: z.object({ omit_source: flagQuery.optional() }),
      result: Schema,
      async handle(call) {
        const row = await findSchema(db, zoneIdOf(call), call.param('schema_id'))
        if (row === undefined) throw notFound('schema')
        return wire(row, call.query.omit_source === true ? undefined : row.source)
      },
    }),
    endpoint({
      method: 'patch',
      path,
      tag,
      summary: 'Switch a schema on or off',
      permission: 'operations:edit',
      body: z.object({ validation_enabled: z.boolean().optional() }),
      result: Schema,
      async handle(call) {
        const [zone, id] = [zoneIdOf(call), call.param('schema_id')]
        const { validation_enabled: enabled } = call.body
        const row =
          enabled === undefined
            ? await findSchema(db, zone, id)
            : await updateSchema(services, zone, id, enabled, call)
        if (row === undefined) throw notFound('schema')
        call.note(...notValidated(enabled === true))
        return wire(row, row.source)
      },
    }),
    endpoint({
      method: 'delete',
      path,
      tag,
      summary: 'Delete a schema; its operations stay',
      permission: 'operations:edit',
      result: z.object({ schema_id: z.string() }),
      async handle(call) {
        const id = call.param('schema_id')
        if (!(await deleteSchema(services, zoneIdOf(call), id, call))) throw notFound('schema')
        return { schema_id: id }
      },
    }),
  ]
}
