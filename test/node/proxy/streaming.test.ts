import { createGate } from '../../../src/edge/index.js'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
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

/** An upstream that answers with these bytes, and breaks its connections off when told. */
async function breaking(answer: string) {
  const open: Socket[] = []
  const origin = await rawUpstream((socket) => {
    open.push(socket)
    socket.once('data', () => void socket.write(answer))
  })
  return { origin, breakOff: () => open.forEach((socket) => socket.resetAndDestroy()) }
}

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
  let arrived: (() => void) | undefined
  let aborted: (() => void) | undefined
  const there = new Promise<void>((resolve) => (arrived = resolve))
  const seen = new Promise<void>((resolve) => (aborted = resolve))
  const origin = await upstream((message) => {
    message.once('data', () => arrived?.()).on('error', () => aborted?.())
  })
  const { port, failures } = await stage(origin)
  const asked = ask(port, 'POST')
  asked.write('first')
  await there
  asked.destroy()
  await seen
  expect(failures).toEqual([])
})

test('a client that leaves the queue is never sent upstream', async () => {
  const urls: string[] = []
  const held: ServerResponse[] = []
  const origin = await upstream((message, response) => {
    urls.push(message.url ?? '')
    if (held.push(response) > 1) response.end()
  })
  const { port, server } = await stage(origin, { connections: 1 })
  /** Sends a request, and waits until the proxy has it. */
  const send = async (path: string) => {
    const received = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>
    const asked = ask(port, 'GET', path).end()
    const [, response] = await received
    return { asked, response }
  }
  await send('/1')
  await expect.poll(() => urls).toEqual(['/1'])
  const second = await send('/2')
  const left = once(second.response, 'close')
  second.asked.destroy()
  await left
  const third = await send('/3')
  held[0]?.end()
  await answerTo(third.asked)
  expect(urls).toEqual(['/1', '/3'])
})

test.each([
  ['of known length', 'Content-Length: 100\r\n\r\nfirst'],
  ['chunked', 'Transfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n'],
])('an answer %s that breaks off breaks the client’s connection off', async (_what, rest) => {
  const { origin, breakOff } = await breaking(`HTTP/1.1 200 OK\r\n${rest}`)
  const { port, failures } = await stage(origin)
  const asked = ask(port)
  asked.end()
  const answer = await answerTo(asked)
  expect(answer.statusCode).toBe(200)
  breakOff()
  await expect(readAll(answer)).rejects.toThrow(/aborted|ECONNRESET/)
  expect(failures).toHaveLength(1)
})

test('an answer that breaks off never looks whole to a client of HTTP/1.0', async () => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  const { origin, breakOff } = await breaking(`${head}5\r\nfirst\r\n`)
  const { port } = await stage(origin)
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.0\r\nHost: shop.example\r\n\r\n')
  socket.once('data', breakOff)
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

test.each([
  ['before', 100_000],
  ['before', 500_000],
  ['after', 100_000],
  ['after', 500_000],
])('an upload sent %s its early answer is thrown away: %i bytes', async (when, size) => {
  const origin = await rawUpstream((socket) => {
    let seen = 0
    socket.on('data', (part: Buffer) => {
      if (seen++ === 0 && part.includes(' HTTP/1.1'))
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly')
    })
  })
  const { port } = await stage(origin)
  const client = connect(port, '127.0.0.1').setEncoding('latin1')
  let heard = ''
  client.on('error', () => undefined).on('data', (part: string) => (heard += part))
  client.write(`POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: ${size}\r\n\r\nx`)
  if (when === 'after') await expect.poll(() => heard).toMatch(/early$/)
  client.write('x'.repeat(size - 1))
  client.write('GET / HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n')
  await once(client, 'close')
  expect(heard.match(/early/g)).toHaveLength(2)
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
  let arrived: (() => void) | undefined
  let finish: (() => void) | undefined
  const there = new Promise<void>((resolve) => (arrived = resolve))
  const origin = await upstream((_message, response) => {
    finish = () => response.end('late')
    arrived?.()
  })
  const gate = createGate({ id: 'other', name: 'other.example' }, { unknownHost: 'pass' })
  const proxy = createProxy({ gate, upstream: () => origin })
  const server = createServer()
  proxy.attach(server)
  const asked = ask(await listen(server))
  asked.end()
  await there
  const closed = proxy.close()
  finish?.()
  expect((await readAll(await answerTo(asked))).body).toBe('late')
  await closed
})
