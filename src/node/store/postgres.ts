import { PostgresDialect } from 'kysely'
import pg from 'pg'
import type { StoreDialect } from '../../management/index.js'
import { postgresAnnouncer } from './postgres-announcer.js'
import { postgresFault } from './postgres-fault.js'

const INT8 = 20

/** Connections of one process, besides the one that listens. */
const POOL_SIZE = 10
/** How long a query waits for a connection: a new one, or one of those in use. */
const CONNECT_MS = 15_000

/**
 * Postgres at a `postgres://` address. Whole numbers come as numbers: none here is above 2^53.
 * Processes on one database announce their changes to each other.
 */
export function postgresDialect(connectionString: string): StoreDialect {
  const pool = new pg.Pool({
    connectionString,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    types: {
      getTypeParser: ((id: number, format?: 'text') =>
        id === INT8 ? Number : pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser,
    },
  })
  // A connection that breaks is replaced by the next query, whether it was idle or, between two
  // statements of a transaction, in use. Unheard it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const announcer = postgresAnnouncer(connectionString)
  const dialect = new PostgresDialect({
    pool: {
      connect: () => pool.connect(),
      async end() {
        await announcer.close()
        await pool.end()
      },
    },
  })
  return Object.assign(dialect, { announcer, faultOf: postgresFault })
}
