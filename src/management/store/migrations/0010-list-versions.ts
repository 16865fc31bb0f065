import type { Database } from '../database.js'
import { addIndex } from './add-index.js'

/** The first mark of a list tells its version; single lines of the audit log have indexes. */
export async function listVersions(db: Database): Promise<void> {
  await db.schema
    .alterTable('list_marks')
    .addColumn('version', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  for (const column of ['object_id', 'request_id']) await addIndex(db, 'audit_log', column)
  await addIndex(db, 'zones', 'plan name id')
}
