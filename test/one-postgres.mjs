import { fork } from 'node:child_process'
import { once } from 'node:events'

/**
 * A real server for all tests that want a database of their own on one: that of `DATABASE_URL`, or one
 * from npm that lives as long as they run. Starting one takes longer than most of them.
 *
 * @returns what ends it
 */
export default async function onePostgres() {
  if (process.env['DATABASE_URL'] !== undefined) return undefined
  // What starts it ends its process with 0, whatever has failed: not this one, which tells how tests went.
  const child = fork(new URL('serve-postgres.mjs', import.meta.url), { execArgv: [] })
  const lost = once(child, 'exit').then(() => {
    throw new Error('Postgres did not start')
  })
  const [url] = await Promise.race([once(child, 'message'), lost])
  process.env['DATABASE_URL'] = url
  return async () => {
    child.disconnect()
    await once(child, 'exit')
  }
}
