import { sql } from 'kysely'
import { HEADER, NAMES, TABLES, type AnyRow, type Kept } from './backup-tables.js'
import type { Database, Transaction } from './database.js'

const PAGE = 500

/**
 * Writes everything in the store as lines of JSON, all of one moment. Secrets are written as they lie
 * there, sealed. Gives the number of rows.
 */
export async function writeBackup(
  db: Database,
  write: (line: string) => Promise<void>,
): Promise<number> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await write(JSON.stringify(HEADER))
      let rows = 0
      for (const table of NAMES)
        for await (const row of rowsOf(tx, table)) {
          await write(JSON.stringify([table, row]))
          rows++
        }
      await write(JSON.stringify({ rows }))
      return rows
    })
}

async function* rowsOf(tx: Transaction, table: Kept): AsyncGenerator<AnyRow> {
  const key = TABLES[table]
  const columns = sql.join(key.map((name) => sql.ref(name)))
  let after = sql``
  for (;;) {
    const { rows } = await sql<AnyRow>`
      select * from ${sql.table(table)} ${after} order by ${columns} limit ${sql.lit(PAGE)}
    `.execute(tx)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = sql`where (${columns}) > (${sql.join(key.map((name) => last[name]))})`
  }
}
