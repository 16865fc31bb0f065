import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { generate } from 'selfsigned'
import { describe, expect, onTestFinished, test } from 'vitest'
import { catalogue } from '../../src/edge/problem/index.js'
import { startGateServer, type GateServerOptions } from '../../src/node/index.js'
import { blackHole } from './proxy/black-hole.js'
import { closedPort, fetchFrom, listen, rawUpstream } from './proxy/stage.js'

type Terms = Pick<GateServerOptions, 'timeouts' | 'connections'>

interface Condition {
  readonly what: string
  readonly code: number
  readonly origin: () => Promise<string>
  readonly terms?: Terms
}

const silent = () => rawUpstream((socket) => socket.resume())

/** What really happens to a connection, and the code it gets (reference section 3, known facts). */
const CONDITIONS: readonly Condition[] = [
  {
    what: 'an answer that breaks off within its head',
    code: 502,
    origin: () => rawUpstream((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-')),
  },
  {
    what: 'no connection that becomes free in time',
    code: 504,
    origin: silent,
    terms: { connections: 1, timeouts: { queue: 100 } },
  },
  {
    what: 'an answer that cannot be parsed',
    code: 520,
    origin: () => rawUpstream((socket) => socket.end('220 mail.example ESMTP\r\n')),
  },
  {
    what: 'a connection that is reset',
    code: 520,
    origin: () => rawUpstream((socket) => socket.once('data', () => socket.resetAndDestroy())),
  },
  {
    what: 'a port where nothing listens',
    code: 521,
    origin: async () => `http://127.0.0.1:${await closedPort()}`,
  },
  {
    what: 'a handshake that is not completed',
    code: 522,
    origin: blackHole,
    terms: { timeouts: { connect: 300 } },
  },
  { what: 'an address without a route', code: 523, origin: async () => 'http://255.255.255.255:1' },
  {
    what: 'a server that stays silent',
    code: 524,
    origin: silent,
    terms: { timeouts: { response: 100 } },
  },
  {
    what: 'a server that speaks no TLS',
    code: 525,
    origin: async () => {
      const refuse = (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
      return (await rawUpstream((socket) => socket.once('data', () => refuse(socket)))).replace(
        'http:',
        'https:',
      )
    },
  },
  { what: 'a certificate that nobody vouches for', code: 526, origin: () => selfSigned() },
  {
    what: 'a certificate that has expired',
    code: 526,
    origin: () => selfSigned(new Date(2001, 0, 1)),
  },
]

async function selfSigned(notAfterDate?: Date): Promise<string> {
  const attributes = [{ name: 'commonName', value: 'origin.example' }]
  const until = notAfterDate && { notBeforeDate: new Date(2000, 0, 1), notAfterDate }
  const pair = await generate(attributes, { keyType: 'ec', ...until })
  const server = createTlsServer({ key: pair.private, cert: pair.cert })
  return `https://127.0.0.1:${await listen(server)}`
}

/** A gate before one upstream: a zone with nothing of its own, one with pages, one with rules. */
async function gateBefore(upstream: string, terms: Terms = {}): Promise<number> {
  const action_parameters = { content: '{"mine":1}', content_type: 'application/json' }
  const rule = { id: 'r', expression: 'cf.response.error_type eq "5xx"', action_parameters }
  const page = '<h1>::ERROR_CODE::</h1>'
  const zones = [
    { id: 'a', name: 'plain.example', upstream },
    { id: 'b', name: 'paged.example', upstream, edge_errors: { pages: { '5xx': page } } },
    {
      id: 'c',
      name: 'ruled.example',
      upstream,
      edge_errors: { rules: [rule], pages: { '5xx': page } },
    },
  ]
  const address = { host: '127.0.0.1', port: 0 }
  const server = await startGateServer({ policy: { zones }, listen: address, ...terms })
  onTestFinished(() => server.close(0))
  const port = Number(new URL(server.url).port)
  // The only connection there is, in use for as long as the test runs.
  if (terms.connections === 1)
    void fetchFrom(port, { headers: { host: 'plain.example' } }).catch(() => undefined)
  return port
}

describe.each(CONDITIONS)('$what is $code', ({ code, origin, terms }) => {
  test('in the default form, as the page of the zone, and as its rule says', async () => {
    const port = await gateBefore(await origin(), terms)
    const replyOn = (host: string, accept: string) => fetchFrom(port, { headers: { host, accept } })
    // Together: some of them take a while to be given up.
    const [json, markdown, html, paged, ruled] = await Promise.all([
      replyOn('plain.example', 'application/json'),
      replyOn('plain.example', 'text/markdown'),
      replyOn('plain.example', 'text/html'),
      replyOn('paged.example', 'application/json'),
      replyOn('ruled.example', 'text/html'),
    ])
    const wait = catalogue.get(code)?.retryAfter
    expect(JSON.parse(json.body)).toMatchObject({
      error_code: code,
      status: code,
      retryable: wait !== undefined,
    })
    expect(markdown.body).toContain(`error_code: ${code}\n`)
    expect(html.body).toContain(`Error ${code}`)
    expect(paged.body).toBe(`<h1>${code}</h1>`)
    expect(ruled.body).toBe('{"mine":1}')
    for (const { status, headers } of [json, ruled]) {
      expect(status).toBe(code)
      expect(headers['retry-after']).toBe(wait?.toString())
    }
  })
})
