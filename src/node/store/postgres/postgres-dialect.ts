import pg from 'pg'
import type { StoreDialect } from '../../../management/index.js'
import { answeringClient } from './answering-client.js'
import { PatientDialect } from './patient-dialect.js'
import { postgresAnnouncer } from './postgres-announcer.js'
import { postgresFault } from './postgres-fault.js'
import { trackedSockets } from './tracked-sockets.js'

const INT8 = 20

/** Connections of one process, besides the one that listens. */
const POOL_SIZE = 10
/** Queries take far less; what waits for the lock of another call may take some time. */
const ANSWER_MS = 15_000
/** Connections say goodbye, which one to a server that hangs does not end. */
const GOODBYE_MS = 2000

/** How Postgres is waited for. */
export interface PostgresPatience {
  /**
   * How long a query may take, those of migrations aside, and how long it waits for a connection: a
   * new one, or one of those in use. Default 15 s.
   */
  readonly answerMs?: number
  /** How long connections may take to say goodbye. Default 2 s. */
  readonly goodbyeMs?: number
}

/**
 * Postgres at a `postgres://` address. Whole numbers come as numbers: none here is above 2^53.
 * Processes on one database announce their changes to each other. A server that says nothing is away,
 * as one is that cannot be reached.
 */
export function postgresDialect(
  connectionString: string,
  { answerMs = ANSWER_MS, goodbyeMs = GOODBYE_MS }: PostgresPatience = {},
): StoreDialect {
  const sockets = trackedSockets()
  const pool = new pg.Pool({
    connectionString,
    stream: sockets.open,
    max: POOL_SIZE,
    connectionTimeoutMillis: answerMs,
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
  const announcer = postgresAnnouncer(connectionString, sockets.open)
  const limit = () => (dialect.isMigrating ? undefined : answerMs)
  const dialect: PatientDialect = new PatientDialect({
    pool: {
      connect: async () => answeringClient(await pool.connect(), limit),
      async end() {
        // The pool itself does not wait for its connections to end; this process would.
        setTimeout(sockets.destroy, goodbyeMs).unref()
        await announcer.close()
        await pool.end()
      },
    },
  })
  return Object.assign(dialect, { announcer, faultOf: postgresFault })
}
