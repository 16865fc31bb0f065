import { once } from 'node:events'
import { createServer } from 'node:http'

/** A server that says ok to everything: `{ url, stop }`. */
export async function startOrigin() {
  const server = createServer((_, response) => response.end('ok'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
