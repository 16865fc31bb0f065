import type { Kysely } from 'kysely'

/** The first mark of a list tells its version, and what single lines of the audit log are found by. */
export async function listVersions({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('list_marks')
    .addColumn('version', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  for (const column of ['object_id', 'request_id'])
    await schema
      .createIndex(`audit_log_by_${column}`)
      .ifNotExists()
      .on('audit_log')
      .column(column)
      .execute()
  await schema
    .createIndex('zones_by_plan_name_id')
    .ifNotExists()
    .on('zones')
    .columns(['plan', 'name', 'id'])
    .execute()
}
