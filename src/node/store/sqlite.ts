import { setTimeout as delay } from 'node:timers/promises'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type SqliteDatabase,
  type SqliteDialectConfig,
  type TransactionSettings,
} from 'kysely'
import type { StoreDialect } from '../../management/index.js'
import { patientConnection } from './patient-connection.js'
import { sqliteFault } from './sqlite-fault.js'

/** The part of `node:sqlite` that is used; @photostructure/sqlite has the same. */
interface SqliteModule {
  readonly DatabaseSync: new (file: string, options: { readonly timeout: number }) => Connection
}

interface Connection {
  exec(sql: string): void
  close(): void
  prepare(sql: string): Statement
}

interface Statement {
  columns(): readonly unknown[]
  all(...parameters: readonly unknown[]): unknown[]
  run(...parameters: readonly unknown[]): {
    changes: number | bigint
    lastInsertRowid: number | bigint
  }
  iterate(...parameters: readonly unknown[]): IterableIterator<unknown>
}

/** How long an opening process waits for others. Later on it waits with {@link patientConnection}. */
const OPEN_TIMEOUT_MS = 10_000

/** Before, Node's own one warns that it is an experiment, and the first ones lack what is used here. */
const BUILT_IN_SINCE = 26

/** Statements kept ready; the queries of the management floor are few. */
const MAX_STATEMENTS = 256

/** SQLite in a file, or in memory for `:memory:`. A commit is on the disk before it is answered. */
export function sqliteDialect(file: string): StoreDialect {
  const dialect = new ImmediateDialect({ database: () => connect(file) })
  return Object.assign(dialect, { faultOf: sqliteFault })
}

async function connect(file: string): Promise<SqliteDatabase> {
  const { DatabaseSync } = await sqliteModule()
  // The timeout has to stand before the first statement: WAL itself is waited for.
  const connection = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS })
  connection.exec('pragma journal_mode = wal')
  connection.exec('pragma synchronous = full')
  connection.exec('pragma busy_timeout = 0')
  const statements = new Map<string, ReturnType<typeof statement>>()
  return {
    close: () => connection.close(),
    prepare(sql) {
      let ready = statements.get(sql)
      if (ready !== undefined) return ready
      if (statements.size >= MAX_STATEMENTS) statements.clear()
      statements.set(sql, (ready = statement(connection.prepare(sql))))
      return ready
    },
  }
}

function statement(prepared: Statement): ReturnType<SqliteDatabase['prepare']> {
  return {
    reader: prepared.columns().length > 0,
    all: (parameters) => prepared.all(...parameters),
    run: (parameters) => prepared.run(...parameters),
    iterate: (parameters) => prepared.iterate(...parameters),
  }
}

async function sqliteModule(): Promise<SqliteModule> {
  const isFinished = Number.parseInt(process.versions.node) >= BUILT_IN_SINCE
  const builtIn: unknown = isFinished ? process.getBuiltinModule('node:sqlite') : undefined
  return (builtIn ?? (await import('@photostructure/sqlite'))) as SqliteModule
}

class ImmediateDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#config)
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter()
  }
}

/** SQLite can undo changes of the schema: a migration is made whole, by one process, or not at all. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Takes the lock of writers at once: one that begins to read and then writes fails beside another. */
class ImmediateDriver extends SqliteDriver {
  /** Of the only connection there is, and of whoever has it. */
  #isTransaction = false

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    return patientConnection(connection, (milliseconds) => this.#pause(milliseconds))
  }

  override async releaseConnection(): Promise<void> {
    this.#isTransaction = false
    await super.releaseConnection()
  }

  /** Reading waits for no writer of another process, so it must not wait for one here that does. */
  async #pause(milliseconds: number): Promise<void> {
    if (this.#isTransaction) return delay(milliseconds)
    await super.releaseConnection()
    await delay(milliseconds)
    await super.acquireConnection()
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    { accessMode }: TransactionSettings = {},
  ): Promise<void> {
    const begin = accessMode === 'read only' ? 'begin' : 'begin immediate'
    await connection.executeQuery(CompiledQuery.raw(begin))
    this.#isTransaction = true
  }

  /** After some faults of the disk SQLite has undone the transaction already. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection)
    } catch (cause) {
      if (!(cause instanceof Error) || !cause.message.includes('no transaction is active'))
        throw cause
    }
  }
}
