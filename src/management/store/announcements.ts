import { dialectOf, type Database, type Transaction } from './database.js'

/** Hears of a version of a zone's policy once it is committed. */
export type PolicyListener = (zoneId: string, version: number) => void

/** The version of a zone that is there no more. */
export const GONE = 0

/** Who listens to a database. It is not closed by listening, and forgotten when it is. */
const listeners = new WeakMap<Database, Set<PolicyListener>>()

/** Calls the listener after every change committed through this database. Returns what ends it. */
export function onCommit(db: Database, listener: PolicyListener): () => void {
  const all = listeners.get(db) ?? new Set()
  listeners.set(db, all.add(listener))
  return () => void all.delete(listener)
}

/** Tells that a change is committed. */
export function committed(db: Database, zoneId: string, version: number): void {
  for (const listener of listeners.get(db) ?? []) listener(zoneId, version)
}

/** Tells other processes of a change, when and if the transaction is committed. */
export const announce = async (db: Database, tx: Transaction): Promise<void> =>
  dialectOf(db)?.announcer?.announce(tx)

/**
 * Calls `heard` when other processes on the database may have changed something: a reason to look at
 * once, where the database can give one. Returns what ends it.
 */
export const onAnnouncement = (db: Database, heard: () => void): (() => void) =>
  dialectOf(db)?.announcer?.listen(heard) ?? (() => {})
