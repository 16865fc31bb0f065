import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { PoolClient } from 'pg'

/** The server took a query and says nothing. The code is the network's for the same. */
class SilentServer extends Error {
  override readonly name = 'SilentServer'
  readonly code = 'ETIMEDOUT'
}

/**
 * A client whose queries are answered in time, or else fail: a server may hang, or be cut off, without
 * any connection breaking. Nothing is asked of it afterwards, and it is not used again.
 *
 * @param withinMs how long a query may take at present; undefined for as long as it likes
 */
export function answeringClient(
  client: PoolClient,
  withinMs: () => number | undefined,
): PostgresPoolClient {
  let silence: SilentServer | undefined

  async function answered<Result>(ask: () => Promise<Result>): Promise<Result> {
    if (silence !== undefined) throw silence
    const limit = withinMs()
    if (limit === undefined) return ask()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        silence = new SilentServer(`the database has not answered for ${limit / 1000} s`)
        reject(silence)
      }, limit)
    })
    try {
      return await Promise.race([ask(), late])
    } finally {
      clearTimeout(timer)
    }
  }

  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(asked: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof asked !== 'string') throw new TypeError('expected SQL; there are no cursors here')
    return answered(() => client.query(asked, [...parameters]))
  }

  return { query, release: () => client.release(silence) }
}
