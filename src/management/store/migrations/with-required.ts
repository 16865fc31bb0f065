import type { ColumnDefinitionBuilder, CreateTableBuilder } from 'kysely'

type Table = CreateTableBuilder<string, string>

/** A table with columns more that hold a value in every row: `names` of them, between spaces. */
export function withRequired(
  table: Table,
  type: 'text' | 'bigint' | 'integer',
  names: string,
): Table {
  return names.split(' ').reduce((so, name) => so.addColumn(name, type, notNull), table)
}

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()
