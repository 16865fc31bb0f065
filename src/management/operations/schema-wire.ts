import { z } from '@hono/zod-openapi'
import { moment, type Row } from '../store/index.js'

export const schemaKind = z.enum(['openapi_v3'])

export const Schema = z
  .object({
    schema_id: z.string(),
    kind: schemaKind,
    name: z.string(),
    created_at: z.string(),
    validation_enabled: z.boolean(),
    source: z.string().optional(),
  })
  .openapi('Schema')

/** A stored schema as clients read it; without `source` where they asked to leave it out. */
export const wire = (
  { id, name, created_at, validation_enabled, ...row }: Omit<Row<'api_schemas'>, 'source'>,
  source: string | undefined,
): z.input<typeof Schema> => ({
  schema_id: id,
  kind: row.kind,
  name,
  created_at: moment(created_at),
  validation_enabled: validation_enabled === 1,
  ...(source !== undefined && { source }),
})
