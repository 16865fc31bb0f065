import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { closed, httpServer, listening } from '../../src/node/http-listener.js'

const ASK = 'GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n'

/** A server, and a client of it that keeps its connection. */
async function connected(listener: RequestListener) {
  const server = httpServer().on('request', listener)
  const { port } = new URL(await listening(server, { host: '127.0.0.1', port: 0 }))
  onTestFinished(() => server.closeAllConnections())
  const client = connect(Number(port), '127.0.0.1').setEncoding('latin1')
  let heard = ''
  client.on('data', (part: string) => (heard += part))
  const gone = new Promise<unknown>((resolve) => {
    client.once('error', resolve).once('close', () => resolve('ended'))
  })
  return { server, client, gone, heard: () => heard }
}

test('a request may take as long as it likes, its head may not', () => {
  expect(httpServer()).toMatchObject({ requestTimeout: 0, headersTimeout: 60_000 })
})

test('a request on its way when the server ends is answered, with the end of its connection', async () => {
  const { server, client, gone, heard } = await connected((_, response) => response.end('ok'))
  client.write(ASK)
  await expect.poll(heard).toMatch(/Connection: keep-alive\r\n[^]*ok$/)
  const first = heard().length
  const done = closed(server, 5000)
  client.write(ASK)
  expect(await gone).toBe('ended')
  expect(heard().slice(first)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n[^]*ok$/)
  await done
})

test('a client that reads slowly gets the end of its answer when the server ends', async () => {
  const size = 16 * 1024 * 1024
  const { server, client, gone, heard } = await connected((_, response) =>
    response.end(Buffer.alloc(size, 'x')),
  )
  client.pause().write(ASK)
  await delay(100)
  const done = closed(server, 5000)
  await delay(200)
  client.resume()
  expect(await gone).toBe('ended')
  expect(heard().endsWith('x'.repeat(size))).toBe(true)
  await done
})

test('a connection without a request does not hold up the end of the server', async () => {
  const { server, client, gone, heard } = await connected((_, response) => response.end('ok'))
  client.write(ASK)
  await expect.poll(heard).toMatch(/ok$/)
  await closed(server, 60_000)
  expect(await gone).toBe('ended')
})
