import { DEFAULT_MIGRATION_LOCK_TABLE, sql } from 'kysely'
import type { Transaction } from './database.js'

/**
 * Makes a transaction wait until those are over that called this before it, whichever process runs
 * them. What it reads from here on is what they left.
 */
export async function oneAtATime(tx: Transaction): Promise<void> {
  // A row that every store has. Writing it takes its lock on every dialect.
  await sql`update ${sql.table(DEFAULT_MIGRATION_LOCK_TABLE)} set is_locked = is_locked`.execute(tx)
}
