import { sql, type SelectQueryBuilder } from 'kysely'

/** How many rows a query finds. */
export async function countOf<Tables, Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, unknown>,
): Promise<number> {
  const counted = query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)`.as('n'))
  const { n } = (await counted.executeTakeFirstOrThrow()) as { readonly n: number }
  return n
}
