import { z } from '@hono/zod-openapi'
import {
  endpoint,
  flagQuery,
  formFile,
  text,
  zoneIdOf,
  type Call,
  type Endpoint,
  type Message,
} from '../http/index.js'
import type { Services } from '../store/index.js'
import { notValidated } from './not-validated.js'
import { readOpenApi, type DocumentReader } from './read-openapi.js'
import { SCHEMAS_PATH, TAG as tag, USER_SCHEMAS_PATH } from './schema-paths.js'
import { Schema, schemaKind as kind, wire } from './schema-wire.js'
import { createSchema, type SchemaInput } from './schemas.js'
import { zoneFacts } from './zone-facts.js'

const MAX_NAME = 200
const UNNAMED = 'schema'

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

/** Takes an OpenAPI document, as a member of JSON or as a file: its operations join the zone's. */
export function uploadRoutes(services: Services, reader: DocumentReader): readonly Endpoint[] {
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

  return [
    endpoint({
      method: 'post',
      path: SCHEMAS_PATH,
      tag,
      summary: 'Upload an OpenAPI document and add its operations',
      permission: 'operations:edit',
      body: JsonInput,
      result: Schema,
      handle: async (call) => (await upload(call, call.body, '/source')).schema,
    }),
    endpoint({
      method: 'post',
      path: USER_SCHEMAS_PATH,
      tag,
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
}

const located = ({ code, message: told, source }: Message) => ({
  code,
  message: told,
  locations: source?.pointer === undefined ? [] : [source.pointer.slice('/file'.length)],
})
