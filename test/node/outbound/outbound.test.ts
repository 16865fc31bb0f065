import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createOutbound, type OutboundRequest } from '../../../src/node/outbound/index.js'
import { rebindingDns } from './rebinding-dns.js'

const fixture = (name: string) =>
  readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url))
const key = fixture('upstream-key.pem')
const cert = fixture('upstream-cert.pem')

const BOUNDS: OutboundRequest = { maxBytes: 1000, timeoutMs: 5000 }
const PRIVATE = { allowPrivate: true }

async function listen(server: Server, host = '127.0.0.1', at = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(at, host, resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
const answering = (listener: RequestListener) => createServer(listener)
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (cause: unknown) => (cause as { code?: string }).code ?? String(cause),
  )

test('an answer comes with status, headers and bytes, and the request with its headers', async () => {
  const port = await listen(
    answering((request, response) => {
      response.writeHead(404, { etag: '"a"', 'x-twice': ['1', '2'] })
      response.end(`${request.method} ${request.url} ${request.headers['if-none-match']}`)
    }),
  )
  const get = createOutbound(PRIVATE)
  const headers = { 'if-none-match': '"b"' }
  const answer = await get(`http://127.0.0.1:${port}/keys?a=b#c`, { ...BOUNDS, headers })
  expect(answer.status).toBe(404)
  expect(answer.headers.get('ETag')).toBe('"a"')
  expect(answer.headers.get('x-twice')).toBe('1, 2')
  expect(text(answer.body)).toBe('GET /keys?a=b "b"')
})

test.each([
  ['http', 'http://example.com/'],
  ['another scheme', 'file:///etc/passwd'],
  ['data', 'data:application/json,{}'],
  ['credentials', 'https://user:secret@example.com/'],
  ['a user alone', 'https://user@example.com/'],
  ['no URL', 'example.com/keys'],
  ['nothing', ''],
])('%s is a bad URL', async (_, url) => {
  const get = createOutbound({ resolve: () => Promise.reject(new Error('nobody is asked')) })
  expect(await codeOf(get(url, BOUNDS))).toBe('bad_url')
})

test.each([
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://１２７.0.0.1/',
  'https://0/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[64:ff9b::169.254.169.254]/',
  'https://10.0.0.1:8443/',
])('no spelling of an address inside passes: %s', async (url) => {
  expect(await codeOf(createOutbound()(url, BOUNDS))).toBe('address_refused')
})

test('a host name that lies inside is refused, whatever its name', async () => {
  const port = await listen(answering((_, response) => response.end()))
  for (const address of ['127.0.0.1', '169.254.169.254', '::ffff:10.0.0.1']) {
    const get = createOutbound({ resolve: async () => [address] })
    expect(await codeOf(get(`https://keys.example:${port}/`, BOUNDS))).toBe('address_refused')
  }
  expect(await codeOf(createOutbound()(`https://localhost:${port}/`, BOUNDS))).toBe(
    'address_refused',
  )
})

test('of several addresses only those that may be asked are', async () => {
  const port = await listen(answering((_, response) => response.end('here')))
  const resolve = async () => ['169.254.169.254', '0.0.0.0', '127.0.0.1']
  const answer = await createOutbound({ ...PRIVATE, resolve })(`http://keys.test:${port}/`, BOUNDS)
  expect(text(answer.body)).toBe('here')
})

test('a name that points elsewhere by the time of the connection gains nothing', async () => {
  const wanted = answering((_, response) => response.end('the address that was checked'))
  const port = await listen(wanted, '127.0.0.2')
  await listen(
    answering((_, response) => response.end('the other')),
    '127.0.0.1',
    port,
  )
  const { resolve, asked } = await rebindingDns(['127.0.0.2', '127.0.0.1'])
  const get = createOutbound({ ...PRIVATE, resolve })
  const url = `http://rebinding.example:${port}/`
  expect(text((await get(url, BOUNDS)).body)).toBe('the address that was checked')
  expect(asked()).toBe(1)
  expect(text((await get(url, BOUNDS)).body)).toBe('the other')
  expect(asked()).toBe(2)
})

test('a name that its name server leads inside is refused', async () => {
  const { resolve } = await rebindingDns(['169.254.169.254'])
  const get = createOutbound({ ...PRIVATE, resolve })
  expect(await codeOf(get('https://rebinding.example/', BOUNDS))).toBe('address_refused')
})

test.each([301, 302, 303, 307, 308])('a redirect (%d) is not followed', async (status) => {
  const asked: unknown[] = []
  const port = await listen(
    answering((request, response) => {
      asked.push(request.url)
      response.writeHead(status, { location: '/inside' }).end('moved')
    }),
  )
  const get = createOutbound(PRIVATE)
  expect(await codeOf(get(`http://127.0.0.1:${port}/`, BOUNDS))).toBe('redirected')
  expect(asked).toEqual(['/'])
})

test('304 is an answer', async () => {
  const port = await listen(answering((_, response) => response.writeHead(304).end()))
  const answer = await createOutbound(PRIVATE)(`http://127.0.0.1:${port}/`, BOUNDS)
  expect([answer.status, answer.body.length]).toEqual([304, 0])
})

test.each<[string, number, RequestListener]>([
  ['as long as it may be', 1000, (_, response) => response.end('x'.repeat(1000))],
  ['announced', 999, (_, response) => response.end('x'.repeat(1000))],
  [
    'streamed without an end',
    999,
    (_, response) => {
      const more = () => response.write('x'.repeat(100)) && setImmediate(more)
      response.on('close', () => response.destroy())
      more()
    },
  ],
])('a body %s is bounded', async (_, maxBytes, listener) => {
  const port = await listen(answering(listener))
  const get = createOutbound(PRIVATE)
  const answer = codeOf(get(`http://127.0.0.1:${port}/`, { ...BOUNDS, maxBytes }))
  expect(await answer).toBe(maxBytes === 1000 ? 'answered' : 'too_large')
})

test('compression is not asked for, and not taken: a small answer cannot become a large one', async () => {
  const accepted: unknown[] = []
  const port = await listen(
    answering((request, response) => {
      accepted.push(request.headers['accept-encoding'])
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000)))
    }),
  )
  const get = createOutbound(PRIVATE)
  expect(await codeOf(get(`http://127.0.0.1:${port}/`, BOUNDS))).toBe('unreadable')
  expect(accepted).toEqual(['identity'])
})

test.each<[string, RequestListener]>([
  ['says nothing', () => {}],
  ['stops in the middle', (_, response) => response.write('x')],
])('the time is over for who %s', async (_, listener) => {
  const server = answering(listener)
  const port = await listen(server)
  const get = createOutbound(PRIVATE)
  const answer = codeOf(get(`http://127.0.0.1:${port}/`, { ...BOUNDS, timeoutMs: 50 }))
  expect(await answer).toBe('timeout')
  server.closeAllConnections()
})

test('the time is over for a name service that hangs, too', async () => {
  const get = createOutbound({ resolve: () => new Promise(() => {}) })
  const answer = codeOf(get('https://keys.example/', { ...BOUNDS, timeoutMs: 50 }))
  expect(await answer).toBe('timeout')
})

test('whoever asked may end it, and hears his own reason', async () => {
  const port = await listen(answering(() => {}))
  const ended = new AbortController()
  const get = createOutbound(PRIVATE)
  const answer = get(`http://127.0.0.1:${port}/`, { ...BOUNDS, signal: ended.signal })
  ended.abort(new Error('enough'))
  await expect(answer).rejects.toThrow('enough')
})

test('nobody there, and no such name, is unreachable', async () => {
  const server = answering(() => {})
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  const get = createOutbound(PRIVATE)
  expect(await codeOf(get(`http://127.0.0.1:${port}/`, BOUNDS))).toBe('unreachable')
  const nameless = createOutbound({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })
  expect(await codeOf(nameless('https://keys.example/', BOUNDS))).toBe('unreachable')
})

test('TLS is checked against the name of the URL', async () => {
  const server = createTlsServer({ key, cert }, (_, response) => response.end('safe'))
  const port = await listen(server)
  const resolve = async () => ['127.0.0.1']
  const get = createOutbound({ ...PRIVATE, resolve, ca: cert })
  const answer = await get(`https://upstream.test:${port}/`, BOUNDS)
  expect(text(answer.body)).toBe('safe')
  expect(await codeOf(get(`https://other.test:${port}/`, BOUNDS))).toBe('tls_failed')
  const strict = createOutbound({ ...PRIVATE, resolve })
  expect(await codeOf(strict(`https://upstream.test:${port}/`, BOUNDS))).toBe('tls_failed')
})

test('no error repeats what was answered', async () => {
  const port = await listen(
    answering((_, response) =>
      response.writeHead(302, { location: 'https://secret.example/' }).end('secret'),
    ),
  )
  const failure = createOutbound(PRIVATE)(`http://127.0.0.1:${port}/`, BOUNDS)
  await expect(failure).rejects.toThrow(/^(?!.*secret)/)
})
