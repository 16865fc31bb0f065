import type { Kysely } from 'kysely'
import { addIndex } from './add-index.js'
import { withRequired } from './with-required.js'

/** OpenAPI documents as they were uploaded. */
export async function apiSchemas(db: Kysely<unknown>): Promise<void> {
  const schemas = withRequired(
    db.schema.createTable('api_schemas').ifNotExists(),
    'text',
    'zone_id id name kind source',
  )
  await withRequired(schemas, 'bigint', 'validation_enabled created_at updated_at')
    .addPrimaryKeyConstraint('api_schemas_key', ['zone_id', 'id'])
    .execute()
  await addIndex(db, 'api_schemas', 'zone_id created_at id')
}
