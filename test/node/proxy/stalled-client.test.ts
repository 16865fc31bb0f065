import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { fetchFrom, pour, speak, stage, upstream } from './stage.js'

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const head = (method: string, path: string, lines = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: shop.example\r\n${lines}\r\n`

/** An upstream that reads what it is sent, and pours without end into a request for /big. */
async function busy() {
  const open = new Set<string>()
  const origin = await upstream((message, response) => {
    const path = message.url ?? ''
    open.add(path)
    message.on('error', () => undefined)
    response.once('close', () => open.delete(path))
    if (path === '/ok') return void response.end('ok')
    if (path === '/early') response.write('first')
    if (path !== '/big') return void message.resume().once('end', () => response.end('done'))
    pour(response)
  })
  return { origin, open }
}

test.each([
  ['nothing of its body', head('POST', '/', 'Content-Length: 10\r\n')],
  ['a part of its body', `${head('POST', '/', 'Content-Length: 10\r\n')}part`],
  [
    'a part of a chunked body',
    `${head('PUT', '/', 'Transfer-Encoding: chunked\r\n')}4\r\npart\r\n`,
  ],
  [
    'nothing after it was told to go on',
    head('POST', '/', 'Content-Length: 10\r\nExpect: 100-continue\r\n'),
  ],
])('a client that sends %s is answered 408, and upstream is left', async (_what, text) => {
  const { origin, open } = await busy()
  const { port, failures } = await stage(origin, { connections: 1, timeouts: { client: 200 } })
  const heard = await speak(port, text)
  expect(heard.replace('HTTP/1.1 100 Continue\r\n\r\n', '')).toMatch(
    /^HTTP\/1\.1 408 Request Timeout\r\nconnection: close\r\n/i,
  )
  await expect.poll(() => open.size).toBe(0)
  expect((await fetchFrom(port, { path: '/ok' })).body).toBe('ok')
  expect(failures).toEqual([])
})

test('a client that sends no more after its answer began is cut off', async () => {
  const { origin, open } = await busy()
  const { port } = await stage(origin, { connections: 1, timeouts: { client: 200 } })
  const heard = await speak(port, `${head('POST', '/early', 'Content-Length: 10\r\n')}part`)
  expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(heard).toContain('first')
  expect(heard).not.toMatch(/0\r\n\r\n$/)
  await expect.poll(() => open.size).toBe(0)
})

test.each([
  ['its answer', head('GET', '/big')],
  ['the second of pipelined answers', head('GET', '/ok') + head('GET', '/big')],
  ['the first of pipelined answers', head('GET', '/big') + head('GET', '/other')],
])('a client that does not read %s is cut off, and upstream is left', async (_what, text) => {
  const { origin, open } = await busy()
  const { port, failures } = await stage(origin, { connections: 2, timeouts: { client: 200 } })
  const client = connect(port, '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => void client.destroy())
  await once(client, 'connect')
  client.pause().write(text)
  await expect.poll(() => open.has('/big')).toBe(true)
  await expect.poll(() => open.size, { timeout: 5000 }).toBe(0)
  expect((await fetchFrom(port, { path: '/ok' })).body).toBe('ok')
  expect(failures).toEqual([])
})

test.each([
  ['answers', head('GET', '/some'), 1200],
  ['refusals', head('GET', '/').replace('shop', 'other'), 3000],
  ['pages of errors', head('GET', '/cdn-cgi/error/1020'), 3000],
])('a client that reads none of its pipelined %s is cut off', async (_what, text, times) => {
  const origin = await upstream((_, response) => response.end(Buffer.alloc(12_000)))
  const { port, server } = await stage(origin, { timeouts: { client: 200 } })
  const client = connect(port, '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => void client.destroy())
  await once(client, 'connect')
  client.pause().write(text.repeat(times))
  const connections = promisify(server.getConnections.bind(server))
  // Full are then the buffers of both ends, and what was answered waits behind them.
  await once(server, 'request')
  await expect.poll(connections, { timeout: 8000 }).toBe(0)
})

test('a client is not cut off while upstream keeps it waiting', async () => {
  const origin = await upstream((message, response) => {
    // Neither reads at once nor answers at once.
    setTimeout(() => message.resume().once('end', () => response.end('late')), 1100)
  })
  const { port } = await stage(origin, { timeouts: { client: 500 } })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  for (const [method, body] of [
    ['GET', undefined],
    ['POST', 'small'],
    ['POST', Buffer.alloc(4 * 1024 * 1024)],
    ['GET', undefined],
  ] as const) {
    const reply = await fetchFrom(port, { agent, method }, body)
    expect([reply.status, reply.body]).toEqual([200, 'late'])
  }
})

test('a client that sends slowly is not cut off', async () => {
  const { origin } = await busy()
  const { port } = await stage(origin, { timeouts: { client: 1000 } })
  const client = connect(port, '127.0.0.1')
  client.write(head('POST', '/', 'Content-Length: 20\r\nConnection: close\r\n'))
  let heard = ''
  client.setEncoding('latin1').on('data', (part: string) => (heard += part))
  for (let sent = 0; sent < 20; sent++) {
    await sleep(80)
    client.write('x')
  }
  await once(client, 'close')
  expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

test('a client is not cut off while upstream keeps it waiting behind a pipelined upload', async () => {
  const origin = await upstream((message, response) => {
    const late = message.url === '/late' ? 600 : 0
    message.resume().once('end', () => setTimeout(() => response.end(message.url), late))
  })
  const { port } = await stage(origin, { timeouts: { client: 200 } })
  const upload = `${head('POST', '/', 'Content-Length: 4\r\n')}body`
  const heard = await speak(port, upload + head('GET', '/late', 'Connection: close\r\n'))
  expect(heard.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
  expect(heard).toMatch(/\/late$/)
})
