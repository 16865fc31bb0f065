import { PostgresDialect, type Dialect } from 'kysely'
import pg from 'pg'

const INT8 = 20

/** Connections of one process. */
const POOL_SIZE = 10

/** Postgres at a `postgres://` address. Whole numbers come as numbers: none here is above 2^53. */
export function postgresDialect(connectionString: string): Dialect {
  const pool = new pg.Pool({
    connectionString,
    max: POOL_SIZE,
    types: {
      getTypeParser: ((id: number, format?: 'text') =>
        id === INT8 ? Number : pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser,
    },
  })
  // A connection that breaks while idle is replaced by the next query; unheard it would end the process.
  pool.on('error', () => {})
  return new PostgresDialect({ pool })
}
