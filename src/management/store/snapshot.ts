import type { Database, Transaction } from './database.js'

/** Reads in one state of the database: what is counted and what is read belong together. */
export const snapshot = <Result>(
  db: Database,
  read: (tx: Transaction) => Promise<Result>,
): Promise<Result> =>
  db.isTransaction
    ? read(db as Transaction)
    : db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
