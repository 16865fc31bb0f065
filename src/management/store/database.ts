import { Kysely, Migrator, type Selectable, type Transaction as KyselyTransaction } from 'kysely'
import { MIGRATIONS } from './migrations.js'
import type { Schema } from './schema.js'
import type { StoreDialect } from './store-dialect.js'

/** The store: one set of queries, whatever the dialect. */
export type Database = Kysely<Schema>
export type Transaction = KyselyTransaction<Schema>

/** A row of a table as it is read. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>

const dialects = new WeakMap<Database, StoreDialect>()

/** Opens the database of a dialect and brings its schema up to date. */
export async function openDatabase(dialect: StoreDialect): Promise<Database> {
  const db = new Kysely<Schema>({ dialect })
  dialects.set(db, dialect)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return db
  await db.destroy()
  throw error
}

/** What a database was opened with. */
export const dialectOf = (db: Database): StoreDialect | undefined => dialects.get(db)

/** Rows written in one statement: drivers bound the number of parameters. */
export const ROWS_A_STATEMENT = 500

/** A list in pieces small enough for one statement each. */
export function* inPieces<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += ROWS_A_STATEMENT)
    yield items.slice(at, at + ROWS_A_STATEMENT)
}
