import { sql, type CompiledQuery, type Expression } from 'kysely'
import type { Database, Transaction } from './database.js'
import { BETWEEN } from './entries.js'
import { DIGITS } from './marked-list.js'

/** Of a query that selects ids in an order: one that gives them as one text. */
export const packedIds = (db: Database, ids: Expression<{ readonly id: string }>): Packed =>
  sql<Text>`select string_agg(id, ${BETWEEN}) as text from (${ids}) as listed`.compile(db)

/** Of one that selects times too: entries are the time, in `DIGITS` digits, with the id after it. */
export const packedLines = (
  db: Database,
  lines: Expression<{ readonly id: string; readonly at: number }>,
): Packed =>
  sql<Text>`
    select string_agg(substr(cast(at + ${sql.lit(10 ** DIGITS)} as text), 2) || id, ${BETWEEN})
      as text
    from (${lines}) as listed
  `.compile(db)

export type Packed = CompiledQuery<Text>

interface Text {
  /** Null for no row at all. */
  readonly text: string | null
}

/** What is asked: equal for queries that find the same. */
export const nameOfQuery = ({ sql: text, parameters }: Packed): string =>
  JSON.stringify([text, parameters])

/** Entries with `BETWEEN` between them. Rows as objects of their own would take much longer. */
export async function readPacked(tx: Transaction, query: Packed): Promise<string> {
  const { rows } = await tx.executeQuery(query)
  return rows[0]?.text ?? ''
}
