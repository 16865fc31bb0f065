import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What an issuer answers with next. */
export interface IssuerAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** An issuer that listens, answers as a test says, and remembers what it was asked. */
export interface Issuer {
  readonly uri: string
  readonly asked: IncomingHttpHeaders[]
  answer: IssuerAnswer
  /** Publishes these keys. */
  publish(keys: readonly unknown[], headers?: Readonly<Record<string, string>>): void
  /** Keeps answers back until the returned function is called. */
  hold(): () => void
  close(): void
}

export async function startIssuer(): Promise<Issuer> {
  let held: Promise<void> = Promise.resolve()
  const server = createServer(async (request, response) => {
    issuer.asked.push(request.headers)
    const { status = 200, headers = {}, body = '' } = issuer.answer
    await held
    const { etag } = headers
    if (status === 200 && etag !== undefined && request.headers['if-none-match'] === etag)
      response.writeHead(304, headers).end()
    else response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', () => done()))
  const issuer: Issuer = {
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
    asked: [],
    answer: {},
    publish(keys, headers = {}) {
      issuer.answer = { headers, body: JSON.stringify({ keys }) }
    },
    hold() {
      let release: (() => void) | undefined
      held = new Promise((resolve) => (release = resolve))
      return () => release?.()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return issuer
}
