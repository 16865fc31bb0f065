import { startPostgres } from './postgres-server.mjs'

/** The process of a server: tells its parent the address, and lives as long as that listens. */
const { url, remove } = await startPostgres()
process.once('disconnect', async () => {
  await remove()
  process.exit()
})
process.send(url)
