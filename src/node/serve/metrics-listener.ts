import { closed, listening } from '../http-listener.js'
import type { ListenAddress } from '../listen-address.js'
import { quietServer } from '../quiet-server.js'

/** A listener that answers `/metrics` and nothing else. */
export interface MetricsListener {
  readonly url: string
  close(): Promise<void>
}

/** Listens for whoever collects metrics. Rejects when the address is taken. */
export async function startMetricsListener(
  address: ListenAddress,
  text: () => Promise<string>,
): Promise<MetricsListener> {
  const server = quietServer({}, async ({ method, url }, response) => {
    const found = url?.split('?', 1)[0] === '/metrics'
    const asked = method === 'GET' || method === 'HEAD'
    const body = found && asked ? await text() : ''
    response.writeHead(found ? (asked ? 200 : 405) : 404, {
      'content-type': 'text/plain; version=0.0.4',
      'cache-control': 'no-store',
    })
    response.end(body)
  })
  const url = `${await listening(server, address)}/metrics`
  return { url, close: () => closed(server, 1000) }
}
