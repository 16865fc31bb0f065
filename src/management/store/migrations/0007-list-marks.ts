import type { Database } from '../database.js'
import { fillMarks } from '../fill-marks.js'
import { MARKED_TABLES, scopesOf } from '../marked-list.js'
import { addIndex } from './add-index.js'
import { withRequired } from './with-required.js'

/** Every list and every order of operations has an index that it is read along. */
export async function listMarks(db: Database): Promise<void> {
  const marks = withRequired(
    db.schema.createTable('list_marks').ifNotExists(),
    'text',
    'list start',
  )
  await withRequired(marks, 'bigint', 'n')
    .addPrimaryKeyConstraint('list_marks_key', ['list', 'start'])
    .execute()
  await db.schema.dropIndex('operations_by_zone_id_host_method').ifExists().execute()
  for (const column of ['host', 'method', 'endpoint'])
    await addIndex(db, 'operations', `zone_id ${column} created_at id`)
  await addIndex(db, 'accounts', 'name id')
  await addIndex(db, 'zones', 'name id')
  await addIndex(db, 'api_tokens', 'created_at id')
  for (const table of MARKED_TABLES)
    for (const column of scopesOf(table)) await fillMarks(db, table, column)
}
