import { sql } from 'kysely'
import type { Database, Transaction } from './database.js'
import { MIGRATIONS } from './migrations.js'
import type { Schema } from './schema.js'
import { SealError, type Sealer } from './sealed.js'
import { openSecrets } from './secrets.js'

/** Which gates run is no configuration: they tell it again. */
type Kept = Exclude<keyof Schema, 'gate_instances'>

/** Every table that is kept, with its key: what its rows are read along. */
const TABLES: Readonly<Record<Kept, readonly string[]>> = {
  accounts: ['id'],
  zones: ['id'],
  api_tokens: ['id'],
  operations: ['zone_id', 'id'],
  api_schemas: ['zone_id', 'id'],
  token_configurations: ['zone_id', 'id'],
  token_keys: ['zone_id', 'configuration_id', 'alg', 'kid'],
  remote_key_sets: ['zone_id', 'configuration_id'],
  secrets: ['zone_id', 'id'],
  rules: ['zone_id', 'id'],
  rule_hosts: ['zone_id', 'host', 'rule_id'],
  rule_configurations: ['zone_id', 'configuration_id', 'rule_id'],
  error_rulesets: ['zone_id'],
  error_pages: ['zone_id', 'identifier'],
  error_branding: ['zone_id'],
  policy_versions: ['zone_id', 'version'],
  policy_parts: ['zone_id', 'hash'],
  audit_log: ['id'],
  list_marks: ['list', 'start'],
}
const NAMES = Object.keys(TABLES) as readonly Kept[]
const FORMAT = 'portcullis-backup-1'
const PAGE = 500

type AnyRow = Readonly<Record<string, string | number | null>>

/** A backup that cannot be restored, or a store that cannot take one. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
  readonly code: 'not_a_backup' | 'other_version' | 'incomplete' | 'not_empty' | 'other_key'

  constructor(code: BackupError['code'], message: string) {
    super(message)
    this.code = code
  }
}

const schemaVersion = (): string => Object.keys(MIGRATIONS).toSorted().at(-1) ?? ''

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
      await write(JSON.stringify({ format: FORMAT, schema: schemaVersion() }))
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
        if (waiting?.table !== table || waiting.rows.length >= PAGE) {
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
  if (format !== FORMAT) throw new BackupError('not_a_backup', 'this is no backup of a store')
  if (schema !== schemaVersion()) {
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
