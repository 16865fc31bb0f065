import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server behind the gate. It tells what reached it, so that one sees what the gate changed. */
export interface SampleUpstream {
  readonly url: string
  close(): Promise<void>
}

export async function startSampleUpstream(): Promise<SampleUpstream> {
  const server = createServer((request, response) => {
    request.resume()
    const { method, url, headers } = request
    const reached = {
      customer: headers['x-customer'] ?? null,
      authorization: headers.authorization === undefined ? 'not sent on' : 'sent on',
      cookie: headers.cookie ?? null,
    }
    response.setHeader('content-type', 'application/json')
    response.end(`${JSON.stringify({ hello: 'from upstream', method, url, reached })}\n`)
  })
  await listening(server)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
}
