import { sql } from 'kysely'
import { BackupError } from './backup-error.js'
import { HEADER, NAMES, TABLES, type AnyRow, type Kept } from './backup-tables.js'
import { ROWS_A_STATEMENT, type Database, type Transaction } from './database.js'
import { SealError, type Sealer } from './sealed.js'
import { openSecrets } from './secrets.js'

/**
 * Puts a backup into an empty store: all of it, or nothing. Gives the number of rows.
 * @throws {BackupError}
 */
export async function restoreBackup(
  db: Database,
  sealer: Sealer,
  lines: AsyncIterable<string>,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await refuseFull(tx)
    let [rows, begun, ended] = [0, false, false]
    let waiting: { readonly table: Kept; readonly rows: AnyRow[] } | undefined
    const flush = async () => {
      // A row of any table: which columns it has, the schema that wrote it knows.
      if (waiting !== undefined)
        await tx
          .insertInto(waiting.table)
          .values(waiting.rows as never)
          .execute()
      waiting = undefined
    }
    for await (const line of lines) {
      const value = parsed(line)
      if (ended) throw new BackupError('not_a_backup', 'there is more after the end of the backup')
      if (!begun) {
        readHeader(value)
        begun = true
      } else if (Array.isArray(value)) {
        const [table, row] = value as [Kept, AnyRow]
        if (!Object.hasOwn(TABLES, table) || typeof row !== 'object' || row === null)
          throw new BackupError('not_a_backup', 'a line of the backup is no row of a known table')
        if (waiting?.table !== table || waiting.rows.length >= ROWS_A_STATEMENT) {
          await flush()
          waiting = { table, rows: [] }
        }
        waiting.rows.push(row)
        rows++
      } else {
        ended = (value as { rows?: unknown } | null)?.rows === rows
        if (!ended) throw new BackupError('incomplete', 'the backup has lost rows')
      }
    }
    if (!ended) throw new BackupError('incomplete', 'the backup ends before its end')
    await flush()
    await openAll(tx, sealer)
    return rows
  })
}

async function refuseFull(tx: Transaction): Promise<void> {
  for (const table of NAMES) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(tx)
    if (rows.length > 0)
      throw new BackupError('not_empty', 'a backup is restored into an empty store only')
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new BackupError('not_a_backup', 'a line of the backup is no JSON')
  }
}

function readHeader(value: unknown): void {
  const { format, schema } = (value ?? {}) as { format?: unknown; schema?: unknown }
  if (format !== HEADER.format)
    throw new BackupError('not_a_backup', 'this is no backup of a store')
  if (schema !== HEADER.schema) {
    const text = 'the backup is of another version: restore it with that one, then go on to this'
    throw new BackupError('other_version', text)
  }
}

/** What nobody can open any more is better told now than when a gate asks for it. */
async function openAll(tx: Transaction, sealer: Sealer): Promise<void> {
  const rows = await tx.selectFrom('secrets').select(['zone_id', 'id']).execute()
  try {
    for (const { zone_id, id } of rows) await openSecrets(tx, sealer, zone_id, [id])
  } catch (cause) {
    if (!(cause instanceof SealError)) throw cause
    const text = 'the secrets are sealed with another key: put the secret.key of the old store here'
    throw new BackupError('other_key', text)
  }
}
