import { readFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { ProxyOptions } from '../../../src/node/proxy/index.js'
import { blackHole } from './black-hole.js'
import { closedPort, fetchFrom, listen, rawUpstream, stage, upstream } from './stage.js'

const fixture = (name: string) =>
  readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url))
const key = fixture('upstream-key.pem')
const cert = fixture('upstream-cert.pem')
const expired = fixture('expired-cert.pem')

async function codeOf(
  origin: string | undefined,
  options: Partial<ProxyOptions> = {},
  method = 'GET',
): Promise<number> {
  const { port, failures } = await stage(origin, options)
  const headers = { accept: 'application/json' }
  const reply = await fetchFrom(port, { path: '/', method, headers }, method === 'POST' ? 'x' : '')
  const { error_code } = JSON.parse(reply.body) as { error_code: number }
  if (origin !== undefined) expect(failures.map(({ code }) => code)).toEqual([error_code])
  if (error_code < 1000) expect(reply.status).toBe(error_code)
  return error_code
}

const failingLookup =
  (code: string): LookupFunction =>
  (_host, _options, done) =>
    process.nextTick(done, Object.assign(new Error(code), { code }), '')

test('a refused connection is 521', async () => {
  expect(await codeOf(`http://127.0.0.1:${await closedPort()}`)).toBe(521)
})

test.each([
  ['ENOTFOUND', 1016],
  ['EAI_AGAIN', 504],
  ['EHOSTUNREACH', 523],
  ['ENETUNREACH', 523],
])('%s on the way to upstream is %i', async (code, expected) => {
  const lookup = failingLookup(code)
  expect(await codeOf('http://upstream.test:1', { lookup })).toBe(expected)
})

// TCP leads to no broadcast address, whatever network a machine is in.
test('an address without a route is 523', async () => {
  expect(await codeOf('http://255.255.255.255:1', { timeouts: { connect: 3000 } })).toBe(523)
})

test('a TCP handshake that nobody answers is 522', async () => {
  expect(await codeOf(await blackHole(), { timeouts: { connect: 300 } })).toBe(522)
})

test.each<[string, (socket: Socket) => void, number]>([
  ['closes at once', (socket) => socket.end(), 520],
  ['closes after the request', (socket) => socket.once('data', () => socket.end()), 520],
  ['resets the connection', (socket) => socket.once('data', () => socket.resetAndDestroy()), 520],
  ['closes within the head', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-'), 502],
  ['speaks no HTTP', (socket) => socket.end('220 mail.example ESMTP\r\n'), 520],
  [
    'sends two lengths',
    (s) => s.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
    520,
  ],
  ['sends a head without end', (s) => s.end(`HTTP/1.1 200 OK\r\nA: ${'a'.repeat(20_000)}`), 520],
  [
    'upgrades unasked',
    (s) => s.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    520,
  ],
  [
    'uses an unknown transfer coding',
    (s) => s.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'),
    520,
  ],
])('an upstream that %s is answered with an edge error', async (_what, behave, expected) => {
  expect(await codeOf(await rawUpstream(behave))).toBe(expected)
})

test('a closed connection is told apart for requests with a body, too', async () => {
  const origin = await rawUpstream((socket) => socket.once('data', () => socket.end()))
  expect(await codeOf(origin, {}, 'POST')).toBe(520)
})

test('an upstream that accepts and stays silent is 524', async () => {
  const origin = await rawUpstream((socket) => socket.resume())
  expect(await codeOf(origin, { timeouts: { response: 200 } })).toBe(524)
})

test('a request that finds no free connection in time is 504', async () => {
  const origin = await rawUpstream((socket) => socket.resume())
  const { port } = await stage(origin, { connections: 1, timeouts: { queue: 100 } })
  void fetchFrom(port).catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect((await fetchFrom(port)).status).toBe(504)
})

test.each<[string, Partial<ProxyOptions>, number]>([
  ['self-signed, not trusted', {}, 526],
  ['for another name', { tls: { ca: cert, servername: 'other.test' } }, 526],
  ['trusted', { tls: { ca: cert } }, 200],
  ['not trusted, which does not matter', { tls: { rejectUnauthorized: false } }, 200],
])('a certificate that is %s', async (_what, options, expected) => {
  const server = createTlsServer({ key, cert }, (_request, response) => response.end('ok'))
  const origin = `https://127.0.0.1:${await listen(server)}`
  if (expected !== 200) return expect(await codeOf(origin, options)).toBe(expected)
  const { port } = await stage(origin, options)
  return expect((await fetchFrom(port)).body).toBe('ok')
})

test('an expired certificate is 526', async () => {
  const server = createTlsServer({ key, cert: expired })
  const origin = `https://127.0.0.1:${await listen(server)}`
  expect(await codeOf(origin, { tls: { ca: expired } })).toBe(526)
})

test.each<[string, (socket: Socket) => void]>([
  [
    'speaks plain HTTP',
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  ],
  ['hangs up', (socket) => socket.once('data', () => socket.end())],
  ['resets', (socket) => socket.once('data', () => socket.resetAndDestroy())],
  ['stays silent', (socket) => socket.resume()],
])('a TLS handshake with an upstream that %s is 525', async (_what, behave) => {
  const origin = (await rawUpstream(behave)).replace('http:', 'https:')
  expect(await codeOf(origin, { timeouts: { connect: 500 } })).toBe(525)
})

test.each([[undefined], ['http://127.0.0.1:1/path'], ['ftp://127.0.0.1'], ['nonsense']])(
  'upstream %s is a zone configuration error, 1043',
  async (origin) => {
    expect(await codeOf(origin)).toBe(1043)
  },
)

test('several hosts of one TLS upstream share its connections', async () => {
  let connections = 0
  const server = createTlsServer({ key, cert }, (_request, response) => response.end('ok'))
  server.on('secureConnection', () => connections++)
  const origin = `https://127.0.0.1:${await listen(server)}`
  const { port } = await stage(origin, { tls: { ca: cert } })
  for (const host of ['shop.example', 'a.shop.example', 'b.shop.example']) {
    expect((await fetchFrom(port, { headers: { host } })).body).toBe('ok')
  }
  expect(connections).toBe(1)
})

test('a kept-alive connection that upstream closed meanwhile does not fail a safe request', async () => {
  let served = 0
  const origin = await rawUpstream((socket) => {
    let asked = 0
    socket.on('data', () => {
      // Each connection answers once and is reset by the second request.
      if (asked++ > 0) return socket.resetAndDestroy()
      served++
      return socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
  })
  const { port, failures } = await stage(origin)
  for (let round = 0; round < 4; round++) expect((await fetchFrom(port)).body).toBe('ok')
  expect(served).toBe(4)
  expect(failures).toEqual([])
  // Whether a request that is not safe was carried out is not known: it is never repeated.
  const post = () => fetchFrom(port, { method: 'POST' }, 'x')
  expect([(await post()).status, (await post()).status]).toContain(520)
})

test('a failing hook or gate is no permission', async () => {
  let asked = 0
  const origin = await upstream((_request, response) => response.end(String(asked++)))
  const gate = {
    decide() {
      throw new Error('defect')
    },
  }
  const { port, failures } = await stage(origin, { gate })
  expect((await fetchFrom(port)).status).toBe(500)
  expect(failures.map(({ error }) => error.message)).toEqual(['defect'])
  expect(asked).toBe(0)
})
