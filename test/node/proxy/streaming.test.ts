import { createGate } from '../../../src/edge/index.js'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createProxy } from '../../../src/node/proxy/index.js'
import { listen, rawUpstream, readAll, speak, stage, upstream } from './stage.js'

/** A request that its test may end or leave. */
function ask(port: number, method = 'GET', path = '/') {
  const headers = { host: 'shop.example' }
  const asked = request({ port, host: '127.0.0.1', agent: false, method, path, headers })
  return asked.on('error', () => undefined)
}

const answerTo = async (asked: ReturnType<typeof ask>) =>
  ((await once(asked, 'response')) as [IncomingMessage])[0]

test('the first byte reaches the client before upstream is done', async () => {
  let finish: (() => void) | undefined
  const origin = await upstream((_request, response) => {
    response.write('first')
    finish = () => response.end(' last')
  })
  const { port } = await stage(origin)
  const asked = ask(port)
  asked.end()
  const answer = await answerTo(asked)
  const [part] = (await once(answer, 'data')) as [Buffer]
  expect(part.toString()).toBe('first')
  finish?.()
  expect((await readAll(answer)).body).toBe(' last')
})

test('the first byte of a request reaches upstream before the client is done', async () => {
  const { port } = await stage(
    await upstream((message, response) => {
      message.once('data', () => response.flushHeaders())
      message.on('end', () => response.end('done'))
    }),
  )
  const asked = ask(port, 'POST')
  asked.write('first')
  const answer = await answerTo(asked)
  asked.end('last')
  expect((await readAll(answer)).body).toBe('done')
})

test('a client that goes away makes upstream’s request end', async () => {
  let gone: Promise<unknown> | undefined
  const origin = await upstream((_message, response) => {
    gone = once(response, 'close')
    response.write('first')
  })
  const { port, failures } = await stage(origin)
  const asked = ask(port)
  asked.end()
  await answerTo(asked)
  asked.destroy()
  await gone
  expect(failures).toEqual([])
})

test('a client that goes away while it uploads makes upstream’s request end', async () => {
  let aborted: (() => void) | undefined
  const seen = new Promise<void>((resolve) => (aborted = resolve))
  const origin = await upstream((message) => {
    message.resume().on('error', () => aborted?.())
  })
  const { port, failures } = await stage(origin)
  const asked = ask(port, 'POST')
  asked.write('first')
  setTimeout(() => asked.destroy(), 50)
  await seen
  expect(failures).toEqual([])
})

test('a client that leaves the queue is never sent upstream', async () => {
  const urls: string[] = []
  const origin = await upstream((message, response) => {
    urls.push(message.url ?? '')
    setTimeout(() => response.end(), 100)
  })
  const { port } = await stage(origin, { connections: 1 })
  const get = (path: string) => ask(port, 'GET', path).end()
  const first = get('/1')
  await once(first, 'finish')
  await new Promise((resolve) => setTimeout(resolve, 30))
  const second = get('/2')
  setTimeout(() => second.destroy(), 30)
  await new Promise((resolve) => setTimeout(resolve, 40))
  await answerTo(get('/3'))
  expect(urls).toEqual(['/1', '/3'])
})

test.each([
  ['of known length', 'Content-Length: 100\r\n\r\nfirst'],
  ['chunked', 'Transfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n'],
])('an answer %s that breaks off breaks the client’s connection off', async (_what, rest) => {
  const origin = await rawUpstream((socket) =>
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\n${rest}`)
      setTimeout(() => socket.resetAndDestroy(), 50)
    }),
  )
  const { port, failures } = await stage(origin)
  const asked = ask(port)
  asked.end()
  const answer = await answerTo(asked)
  expect(answer.statusCode).toBe(200)
  await expect(readAll(answer)).rejects.toThrow(/aborted|ECONNRESET/)
  expect(failures).toHaveLength(1)
})

test('an answer that breaks off never looks whole to a client of HTTP/1.0', async () => {
  const origin = await rawUpstream((socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n')
      setTimeout(() => socket.resetAndDestroy(), 50)
    }),
  )
  const { port } = await stage(origin)
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.0\r\nHost: shop.example\r\n\r\n')
  const [error] = (await once(socket.resume(), 'error')) as [NodeJS.ErrnoException]
  expect(error.code).toBe('ECONNRESET')
})

test('an answer that stays silent too long breaks off', async () => {
  const origin = await upstream((_message, response) => void response.write('first'))
  const { port, failures } = await stage(origin, { timeouts: { idle: 200 } })
  const asked = ask(port)
  asked.end()
  await expect(readAll(await answerTo(asked))).rejects.toThrow(/aborted/)
  expect(failures.map(({ code }) => code)).toEqual([524])
})

test('an early answer to a large upload arrives whole, and the upload ends', async () => {
  const origin = await upstream((_message, response) => {
    response.writeHead(413, { 'content-length': 9 }).end('too large')
  })
  const { port } = await stage(origin)
  const asked = ask(port, 'POST')
  const broken = new Promise((resolve) => asked.once('close', resolve))
  const part = Buffer.alloc(64 * 1024)
  const push = () => {
    while (!asked.destroyed && asked.write(part));
  }
  asked.on('drain', push)
  push()
  const answer = await readAll(await answerTo(asked))
  expect(answer).toMatchObject({ status: 413, body: 'too large' })
  await broken
})

test('after an early answer to a small upload the connection goes on', async () => {
  const origin = await upstream((_message, response) => response.end('early'))
  const { port } = await stage(origin)
  const body = 'x'.repeat(1000)
  const text = `POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 1000\r\n`
  const answers = await speak(port, `${text}\r\n${body}${text}Connection: close\r\n\r\n${body}`)
  expect(answers.match(/early/g)).toHaveLength(2)
})

test('upstream is read only as fast as the client reads', async () => {
  let sent = 0
  const origin = await upstream((_message, response) => {
    const part = Buffer.alloc(64 * 1024)
    const push = () => {
      while (sent < 1024 && response.write(part)) sent++
    }
    response.on('drain', push)
    push()
  })
  const { port } = await stage(origin)
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n')
  socket.pause()
  await new Promise((resolve) => setTimeout(resolve, 500))
  // The kernel's buffers take a few megabytes, the proxy itself next to nothing: 64 MB would be all.
  expect(sent).toBeLessThan(512)
  socket.destroy()
})

test('closing lets a request under way finish', async () => {
  const origin = await upstream(
    (_message, response) => void setTimeout(() => response.end('late'), 100),
  )
  const gate = createGate({ id: 'other', name: 'other.example' }, { unknownHost: 'pass' })
  const proxy = createProxy({ gate, upstream: () => origin })
  const server = createServer()
  proxy.attach(server)
  const asked = ask(await listen(server))
  asked.end()
  await once(asked, 'finish')
  await new Promise((resolve) => setTimeout(resolve, 30))
  const closed = proxy.close()
  expect((await readAll(await answerTo(asked))).body).toBe('late')
  await closed
})
