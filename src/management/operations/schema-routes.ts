import { z } from '@hono/zod-openapi'
import {
  endpoint,
  flagQuery,
  formFile,
  listEndpoint,
  message,
  notFound,
  pageQuery,
  text,
  zoneIdOf,
  type Call,
  type Endpoint,
  type Message,
} from '../http/index.js'
import { moment, type Row, type Services } from '../store/index.js'
import { CODES } from './codes.js'
import { readOpenApi, type DocumentReader } from './read-openapi.js'
import {
  createSchema,
  deleteSchema,
  findSchema,
  listSchemas,
  updateSchema,
  type SchemaInput,
} from './schemas.js'
import { zoneFacts } from './zone-facts.js'

const TAG = 'Schemas'
const MAX_NAME = 200
const UNNAMED = 'schema'

const kind = z.enum(['openapi_v3'])

const Schema = z
  .object({
    schema_id: z.string(),
    kind,
    name: z.string(),
    created_at: z.string(),
    validation_enabled: z.boolean(),
    source: z.string().optional(),
  })
  .openapi('Schema')

const Uploaded = z.object({
  schema: Schema,
  upload_details: z.object({
    warnings: z.array(
      z.object({ code: z.number().int(), locations: z.array(z.string()), message: z.string() }),
    ),
  }),
})

const JsonInput = z.object({
  kind,
  name: text(MAX_NAME, 1),
  source: z.string().min(1).openapi({ description: 'An OpenAPI 3 document in JSON or YAML.' }),
  validation_enabled: z.boolean(),
})

const FormInput = z.object({
  file: formFile,
  kind,
  name: text(MAX_NAME).optional(),
  validation_enabled: flagQuery.default(false),
})

const wire = (
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

/** Uploaded OpenAPI documents: each adds its operations to the zone. In both spellings of clients. */
export function schemaRoutes(services: Services, reader: DocumentReader): readonly Endpoint[] {
  const { db } = services

  async function upload(
    call: Call<unknown, unknown>,
    input: SchemaInput,
    at: string,
  ): Promise<{ readonly schema: z.input<typeof Schema>; readonly warnings: readonly Message[] }> {
    const zone = zoneIdOf(call)
    const facts = await zoneFacts(db, zone)
    const { operations, warnings } = await readOpenApi(reader, input.source, facts, at)
    const row = await createSchema(services, zone, input, operations, call)
    call.note(...warnings, ...notValidated(input.validation_enabled))
    return { schema: wire(row, input.source), warnings }
  }

  const uploads = [
    endpoint({
      method: 'post',
      path: '/zones/{zone_id}/schema_validation/schemas',
      tag: TAG,
      summary: 'Upload an OpenAPI document and add its operations',
      permission: 'operations:edit',
      body: JsonInput,
      result: Schema,
      handle: async (call) => (await upload(call, call.body, '/source')).schema,
    }),
    endpoint({
      method: 'post',
      path: '/zones/{zone_id}/api_gateway/user_schemas',
      tag: TAG,
      summary: 'Upload an OpenAPI document as a file and add its operations',
      permission: 'operations:edit',
      bodyForm: 'multipart',
      body: FormInput,
      result: Uploaded,
      async handle(call) {
        const { file, name, validation_enabled } = call.body
        const given = name || file.name.slice(0, MAX_NAME) || UNNAMED
        const input = { name: given, source: file.text, validation_enabled }
        const { schema, warnings } = await upload(call, input, '/file')
        return { schema, upload_details: { warnings: warnings.map(located) } }
      },
    }),
  ]
  return [
    ...uploads,
    ...['/zones/{zone_id}/schema_validation/schemas', '/zones/{zone_id}/api_gateway/user_schemas']
      .map((path) => keptSchemaRoutes(services, path))
      .flat(),
  ]
}

/** What may be done with a schema once it is there. */
function keptSchemaRoutes(services: Services, base: string): readonly Endpoint[] {
  const { db } = services
  const path = `${base}/{schema_id}`
  return [
    listEndpoint({
      method: 'get',
      path: base,
      tag: TAG,
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
      tag: TAG,
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
      tag: TAG,
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
      tag: TAG,
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

const located = ({ code, message: told, source }: Message) => ({
  code,
  message: told,
  locations: source?.pointer === undefined ? [] : [source.pointer.slice('/file'.length)],
})

/** What clients switch on is kept for them, but no gate looks into bodies. */
const notValidated = (enabled: boolean): readonly Message[] =>
  enabled
    ? [
        message(
          CODES.not_validated,
          'gates judge tokens: requests are not validated against the schema',
          '/validation_enabled',
        ),
      ]
    : []
