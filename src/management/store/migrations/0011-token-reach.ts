import type { Database } from '../database.js'
import { reachDigest } from '../reach-digest.js'
import { addIndex } from './add-index.js'

const AT_ONCE = 500

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
  const without = db
    .selectFrom('api_tokens')
    .select(['id', 'policies'])
    .where('reach', '=', '')
    .limit(AT_ONCE)
  for (let rows = await without.execute(); rows.length > 0; rows = await without.execute())
    for (const { id, policies } of rows) {
      const reach = await reachDigest(policies)
      await db.updateTable('api_tokens').set({ reach }).where('id', '=', id).execute()
    }
}
