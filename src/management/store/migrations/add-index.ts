import type { Kysely } from 'kysely'

/** Adds an index over columns, `columns` between spaces, unless it is there. Its name tells them. */
export async function addIndex(
  { schema }: Pick<Kysely<unknown>, 'schema'>,
  table: string,
  columns: string,
): Promise<void> {
  const names = columns.split(' ')
  await schema
    .createIndex(`${table}_by_${names.join('_')}`)
    .ifNotExists()
    .on(table)
    .columns(names)
    .execute()
}
