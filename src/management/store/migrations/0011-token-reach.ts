import type { Database } from '../database.js'
import { addIndex } from './add-index.js'

/** Tokens that may do the same are found together, and those that expire by when they do. */
export async function tokenReach(db: Database): Promise<void> {
  // SQLite has no `if not exists` for a column, and a migration may have been cut off after it.
  const tokens = (await db.introspection.getTables()).find(({ name }) => name === 'api_tokens')
  if (tokens?.columns.every(({ name }) => name !== 'reach'))
    await db.schema
      .alterTable('api_tokens')
      .addColumn('reach', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  await addIndex(db, 'api_tokens', 'reach id')
  await addIndex(db, 'api_tokens', 'expires_at')
}
