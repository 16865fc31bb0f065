import { startPostgres } from './postgres-server.mjs'

/**
 * A real server for all tests that want a database of their own on one: that of `DATABASE_URL`, or one
 * from npm that lives as long as they run. Starting one takes longer than most of them.
 */
export default async function onePostgres(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['DATABASE_URL'] !== undefined) return undefined
  const { url, remove } = await startPostgres()
  process.env['DATABASE_URL'] = url
  return remove
}
