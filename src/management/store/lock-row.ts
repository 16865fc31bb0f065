import { sql } from 'kysely'
import type { Row, Transaction } from './database.js'

/**
 * A row as it is, which until the transaction ends nobody else changes, deletes or locks; `undefined`
 * when it is gone.
 */
export async function lockRow<Table extends 'accounts' | 'api_tokens' | 'zones'>(
  tx: Transaction,
  table: Table,
  id: string,
): Promise<Row<Table> | undefined> {
  // Writing the row takes its lock on every dialect; reading it would not.
  const { rows } = await sql<Row<Table>>`
    update ${sql.table(table)} set id = id where id = ${id} returning *
  `.execute(tx)
  return rows[0]
}
