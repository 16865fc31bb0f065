import type { DatabaseConnection } from 'kysely'
import { sqliteFault } from './sqlite-fault.js'

/** How long one process waits for the writing of another. */
const PATIENCE_MS = 10_000
const FIRST_WAIT_MS = 1
const LONGEST_WAIT_MS = 50

/**
 * A connection to SQLite that waits while another process writes. SQLite could wait by itself, but
 * it would hold up everything else in this process, gate and all. What is refused as busy has had no
 * effect, so any statement may be tried again.
 */
export const patientConnection = (
  connection: DatabaseConnection,
  pause: (milliseconds: number) => Promise<void>,
): DatabaseConnection => ({
  async executeQuery<Row>(query: Parameters<DatabaseConnection['executeQuery']>[0]) {
    const end = performance.now() + PATIENCE_MS
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      try {
        return await connection.executeQuery<Row>(query)
      } catch (cause) {
        if (sqliteFault(cause) !== 'busy' || performance.now() > end) throw cause
      }
      await pause(wait)
    }
  },
  streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
})
