import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createGate } from '../../../src/edge/index.js'
import { fetchFrom, speak, stage, upstream } from './stage.js'

const ask = (path: string, method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\nHost: shop.example\r\n\r\n`

/** An upstream that pours without end into every request but those for /slow and /ok. */
async function pouring() {
  const open = new Map<string, ServerResponse>()
  const origin = await upstream((message, response) => {
    const path = message.url ?? ''
    if (path === '/ok') return void response.end('ok')
    open.set(path, response)
    response.once('close', () => open.delete(path))
    if (path === '/slow') return
    const part = Buffer.alloc(64 * 1024)
    const push = () => {
      while (response.write(part));
    }
    response.on('drain', push)
    push()
  })
  return { origin, open }
}

/** A client that pipelines, and leaves when its test says so. */
async function pipeline(port: number, text: string) {
  const client = connect(port, '127.0.0.1')
  await once(
    client.on('error', () => undefined),
    'connect',
  )
  client.write(text)
  return client
}

test.each([
  ['GET', '/big'],
  ['OPTIONS', '*'],
])('a client that leaves ends what waits for its turn: %s %s', async (method, path) => {
  const { origin, open } = await pouring()
  const gate = createGate({ id: 'zone-1', name: 'other.example' }, { unknownHost: 'pass' })
  const { port, failures } = await stage(origin, { gate, connections: 2 })
  for (let round = 0; round < 2; round++) {
    const client = await pipeline(port, ask('/slow') + ask(path, method))
    await expect.poll(() => open.size).toBe(2)
    client.destroy()
    await expect.poll(() => open.size).toBe(0)
  }
  expect((await fetchFrom(port, { path: '/ok' })).body).toBe('ok')
  expect(failures).toEqual([])
})

test('a client that left before it was judged is not asked for upstream', async () => {
  const { origin, open } = await pouring()
  const passing = createGate({ id: 'zone-1', name: 'other.example' }, { unknownHost: 'pass' })
  let judge: (() => void) | undefined
  const judged = new Promise<void>((resolve) => (judge = resolve))
  const gate = {
    decide: (request: Parameters<typeof passing.decide>[0]) =>
      request.target === '/big'
        ? judged.then(() => passing.decide(request))
        : passing.decide(request),
  }
  const { port, decisions } = await stage(origin, { gate })
  const client = await pipeline(port, ask('/slow') + ask('/big'))
  await expect.poll(() => open.size).toBe(1)
  client.destroy()
  await expect.poll(() => open.size).toBe(0)
  judge?.()
  await expect.poll(() => decisions.length).toBe(2)
  expect((await fetchFrom(port, { path: '/ok' })).body).toBe('ok')
  expect([...open.keys()]).toEqual([])
})

test('hundreds of pipelined requests are answered in turn, and nobody warns of a leak', async () => {
  const warnings: Error[] = []
  const warn = (warning: Error) => void warnings.push(warning)
  process.on('warning', warn)
  onTestFinished(() => void process.off('warning', warn))
  const origin = await upstream((message, response) => response.end(`<${message.url}>`))
  const { port } = await stage(origin)
  const paths = Array.from({ length: 300 }, (_, at) => `/${at}`)
  const last = 'GET /last HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n'
  const answers = await speak(port, paths.map((path) => ask(path)).join('') + last)
  expect(answers.match(/<[^>]*>/g)).toEqual([...paths, '/last'].map((path) => `<${path}>`))
  expect(warnings.filter(({ name }) => name === 'MaxListenersExceededWarning')).toEqual([])
})
