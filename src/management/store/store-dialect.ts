import type { Dialect, QueryExecutorProvider } from 'kysely'

/** Why a database could not do what it was asked, through no fault of whoever asked. */
export type StoreFault = 'away' | 'busy' | 'read_only' | 'full'

/** What tells processes over one database of each other's changes. */
export interface Announcer {
  /** Tells the others, once the transaction is committed and only then. */
  announce(tx: QueryExecutorProvider): Promise<void>
  /**
   * Calls `heard` when another process has told of something, and when something may have been
   * missed. Hearing may fail for a while, so whoever listens looks by itself now and then. Returns
   * what ends it.
   */
  listen(heard: () => void): () => void
}

/** A dialect of the store. What it leaves out, the database cannot do. */
export interface StoreDialect extends Dialect {
  readonly announcer?: Announcer
  /** What an error of the driver means; `undefined` for a fault of the software. */
  readonly faultOf?: (cause: unknown) => StoreFault | undefined
}
