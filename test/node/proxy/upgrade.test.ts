import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Duplex, type DuplexOptions } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createGate } from '../../../src/edge/index.js'
import { closedPort, listen, rawUpstream, speak, stage, upstream } from './stage.js'

const fixture = (name: string) =>
  readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url))

const HANDSHAKE =
  'GET /socket HTTP/1.1\r\nHost: shop.example\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

/** Answers every message with itself. */
async function echo(server: Server): Promise<{ port: number; heads: readonly string[][] }> {
  const heads: string[][] = []
  new WebSocketServer({ server }).on('connection', (socket, { rawHeaders }) => {
    heads.push(rawHeaders)
    socket.on('message', (data, binary) => socket.send(data, { binary }))
  })
  return { port: await listen(server), heads }
}

async function open(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, {
    headers: { host: 'shop.example' },
  })
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  return socket
}

test('a WebSocket echoes text and a megabyte of bytes, then closes both ways', async () => {
  const { port: at, heads } = await echo(createServer())
  const { port } = await stage(`http://127.0.0.1:${at}`)
  const socket = await open(port)
  socket.send('hello')
  expect(String((await once(socket, 'message'))[0])).toBe('hello')
  const bytes = Buffer.alloc(1024 * 1024, 7)
  socket.send(bytes)
  expect(((await once(socket, 'message'))[0] as Buffer).equals(bytes)).toBe(true)
  socket.close(4000, 'enough')
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
  expect([code, reason.toString()]).toEqual([4000, 'enough'])
  expect(heads[0]).toContain('x-forwarded-for')
})

test('a WebSocket to an upstream with TLS echoes', async () => {
  const [key, cert] = [fixture('upstream-key.pem'), fixture('upstream-cert.pem')]
  const { port: at } = await echo(createTlsServer({ key, cert }))
  const { port } = await stage(`https://127.0.0.1:${at}`, { tls: { ca: cert } })
  const socket = await open(port)
  socket.send('hello')
  expect(String((await once(socket, 'message'))[0])).toBe('hello')
})

test('bytes that come right behind either head are not lost', async () => {
  let heard = ''
  const origin = await rawUpstream((socket) => {
    socket.setEncoding('latin1').on('data', (part: string) => {
      heard += part
      if (heard.endsWith('early')) socket.end(' last')
      else if (heard.endsWith('\r\n\r\n')) {
        socket.write(
          'HTTP/1.1 101 Fine\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\nX-Own: 1\r\n\r\nfirst',
        )
      }
    })
  })
  const { port } = await stage(origin)
  expect(await speak(port, `${HANDSHAKE}early`)).toBe(
    'HTTP/1.1 101 Fine\r\nX-Own: 1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst last',
  )
})

test('a handshake for a host that is refused gets the edge error', async () => {
  const { port, decisions } = await stage('http://127.0.0.1:1')
  const answer = await speak(port, HANDSHAKE.replace('shop.example', 'other.example'))
  expect(answer).toMatch(/^HTTP\/1\.1 530 Could not find host\r\n/)
  expect(answer).toMatch(/Error 1018/)
  expect(decisions.map(({ reason }) => reason)).toEqual(['unknown_host'])
})

test('an upstream that does not want to upgrade answers for itself', async () => {
  const origin = await upstream((_request, response) => {
    response.writeHead(426, { 'x-own': '1', upgrade: 'h2c', connection: 'upgrade' }).end('no')
  })
  const { port, failures } = await stage(origin)
  const answer = await speak(port, HANDSHAKE)
  expect(answer).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\nx-own: 1\r\n/)
  expect(answer).toContain('\r\n\r\n2\r\nno\r\n0\r\n\r\n')
  expect(answer.toLowerCase()).not.toContain('upgrade:')
  expect(failures).toEqual([])
})

const ASTERISK = 'OPTIONS * HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n'

/** A gate that lets hosts of no zone pass, OPTIONS * among them. */
const openGate = () => createGate({ id: 'other', name: 'other.example' }, { unknownHost: 'pass' })

test.each([
  ['a refused handshake', HANDSHAKE],
  ['OPTIONS *', ASTERISK],
])('an answer to %s that stays silent too long breaks off', async (_what, head) => {
  const origin = await rawUpstream((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nfirst'))
  })
  const { port, failures } = await stage(origin, { gate: openGate(), timeouts: { idle: 200 } })
  expect(await speak(port, head)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(failures.map(({ code }) => code)).toEqual([524])
})

test.each([
  ['a refused handshake', HANDSHAKE],
  ['OPTIONS *', ASTERISK],
])('an answer to %s keeps a line behind thousands of others', async (_what, head) => {
  const lines = `${'x:1\r\n'.repeat(2100)}Set-Cookie: a=b\r\n`
  const origin = await rawUpstream((socket) => {
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${lines}Content-Length: 2\r\n\r\nok`))
  })
  const { port } = await stage(origin, { gate: openGate() })
  const answer = await speak(port, head)
  expect(answer).toContain('\r\nSet-Cookie: a=b\r\nContent-Length: 2\r\n')
  expect(answer.match(/^x: 1\r$/gm)).toHaveLength(2100)
})

test('an upgrade in HTTP/1.0, which has none, is an ordinary request', async () => {
  const origin = await upstream((request, response) => {
    response.end(JSON.stringify(request.rawHeaders).toLowerCase())
  })
  const { port } = await stage(origin)
  const answer = await speak(port, HANDSHAKE.replace('HTTP/1.1', 'HTTP/1.0'))
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(answer).not.toContain('"upgrade"')
})

test.each([
  [
    'upgrades to something else',
    'HTTP/1.1 101 OK\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    520,
  ],
  ['closes at once', '', 520],
  ['closes within the head', 'HTTP/1.1 101 Swi', 502],
  ['speaks no HTTP', 'hello\r\n\r\n', 520],
])('an upstream that %s gives an edge error', async (_what, text, code) => {
  const origin = await rawUpstream((socket) => socket.once('data', () => socket.end(text)))
  const { port, failures } = await stage(origin)
  expect(await speak(port, HANDSHAKE)).toContain(`HTTP/1.1 ${code} `)
  expect(failures.map((failure) => failure.code)).toEqual([code])
})

test('a refused connection and a silent upstream give edge errors', async () => {
  const refused = await stage(`http://127.0.0.1:${await closedPort()}`)
  expect(await speak(refused.port, HANDSHAKE)).toContain('HTTP/1.1 521 ')
  const origin = await rawUpstream((socket) => socket.resume())
  const silent = await stage(origin, { timeouts: { response: 100 } })
  expect(await speak(silent.port, HANDSHAKE)).toContain('HTTP/1.1 524 ')
})

test.each([
  ['h2c', 'GET', ''],
  ['TLS/1.0', 'GET', ''],
  ['foo', 'OPTIONS', ''],
])('an upgrade to %s is an ordinary request', async (protocol, method, body) => {
  const origin = await upstream((request, response) => {
    response.end(JSON.stringify(request.rawHeaders).toLowerCase())
  })
  const { port } = await stage(origin)
  const answer = await speak(
    port,
    `${method} / HTTP/1.1\r\nHost: shop.example\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: x\r\n\r\n${body}`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(answer).not.toMatch(/"upgrade"|http2-settings/)
})

test.each([
  ['a body that comes with an upgrade', 'POST', 'h2c', 'HTTP/1.1 501'],
  ['a WebSocket handshake with a body', 'GET', 'websocket', 'HTTP/1.1 400'],
])('%s is refused', async (_what, method, protocol, expected) => {
  let asked = 0
  const { port } = await stage(await upstream(() => void asked++))
  const head = `${method} / HTTP/1.1\r\nHost: shop.example\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n`
  const answer = await speak(
    port,
    `${head}Content-Length: 30\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n`,
  )
  expect(answer).toContain(expected)
  expect(asked).toBe(0)
})

test('an upgrade that is not handed out with its connection, as since Node 26, is answered there', async () => {
  const { port, server } = await stage('http://127.0.0.1:1')
  const [taken] = server.listeners('upgrade')
  server.removeAllListeners('upgrade').on('upgrade', (request, socket, head) => {
    const write: DuplexOptions['write'] = (chunk, _encoding, done) => void socket.write(chunk, done)
    taken?.(request, new Duplex({ read: () => undefined, write }), head)
  })
  const answer = await speak(
    port,
    'POST / HTTP/1.1\r\nHost: shop.example\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 30\r\n\r\n',
  )
  expect(answer).toMatch(/^HTTP\/1\.1 501 /)
})

test('CONNECT is not supported: 501', async () => {
  const { port } = await stage('http://127.0.0.1:1')
  const answer = await speak(
    port,
    'CONNECT db.example:5432 HTTP/1.1\r\nHost: db.example:5432\r\n\r\n',
  )
  expect(answer).toMatch(/^HTTP\/1\.1 501 /)
})

test('when one end of a tunnel goes, the other goes too', async () => {
  const { port: at } = await echo(createServer())
  const { port } = await stage(`http://127.0.0.1:${at}`)
  const socket = await open(port)
  socket.terminate()
  const again = connect(port, '127.0.0.1')
  again.write(HANDSHAKE)
  await once(again, 'data')
  again.resetAndDestroy()
  const third = await open(port)
  third.send('still there')
  expect(String((await once(third, 'message'))[0])).toBe('still there')
})

test('a tunnel without traffic is cut', async () => {
  const { port: at } = await echo(createServer())
  const { port } = await stage(`http://127.0.0.1:${at}`, { timeouts: { tunnel: 100 } })
  const socket = await open(port)
  expect((await once(socket, 'close'))[0]).toBe(1006)
})

test('a client that leaves during the handshake makes upstream’s connection close', async () => {
  let gone: (() => void) | undefined
  const left = new Promise<void>((resolve) => (gone = resolve))
  const origin = await rawUpstream((socket) => socket.resume().once('close', () => gone?.()))
  const { port } = await stage(origin)
  const socket = connect(port, '127.0.0.1')
  socket.write(HANDSHAKE)
  setTimeout(() => socket.destroy(), 50)
  await left
})
