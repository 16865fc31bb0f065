import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createGate } from '../../../src/edge/index.js'
import { fetchFrom, pour, speak, stage, upstream } from './stage.js'

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
    pour(response)
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

test('no end of pipelined requests is read while upstream is slow, and all are answered then', async () => {
  const held: ServerResponse[] = []
  let isSlow = true
  const origin = await upstream((message, response) => {
    response.setHeader('x-path', message.url ?? '')
    if (isSlow) held.push(response)
    else response.end()
  })
  const { port, decisions } = await stage(origin, { connections: 4 })
  const client = await pipeline(port, '')
  let heard = ''
  client.setEncoding('latin1').on('data', (part: string) => (heard += part))
  const paths = Array.from({ length: 10_000 }, (_, at) => `/${at}`)
  const put = 'PUT /last HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 70000\r\n\r\n'
  client.write(`${paths.map((path) => ask(path)).join('')}${put}${'x'.repeat(70_000)}`)
  await expect.poll(() => held.length).toBe(4)
  const before = decisions.length
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(decisions.length).toBe(before)
  expect(before).toBeLessThan(5000)
  isSlow = false
  for (const response of held) response.end()
  await expect.poll(() => heard.includes('/last'), { timeout: 20_000 }).toBe(true)
  expect(heard.match(/(?<=x-path: )\S+/g)).toEqual([...paths, '/last'])
}, 30_000)

test.each([
  ['GET', '/broken'],
  ['OPTIONS', '*'],
])('an answer that broke off before its turn ends the connection: %s %s', async (method, path) => {
  let finish: (() => void) | undefined
  let breakOff: (() => void) | undefined
  const origin = await upstream((message, response) => {
    if (message.url === '/slow') return void (finish = () => response.end('<slow>'))
    response.write('<broken')
    breakOff = () => response.destroy()
  })
  const gate = createGate({ id: 'zone-1', name: 'other.example' }, { unknownHost: 'pass' })
  const { port, server, failures } = await stage(origin, { gate })
  const answers: ServerResponse[] = []
  server.on('request', (_, response) => void answers.push(response))
  const heard = speak(port, ask('/slow') + ask(path, method))
  await expect.poll(() => answers[1]?.headersSent).toBe(true)
  breakOff?.()
  await expect.poll(() => failures.length).toBe(1)
  finish?.()
  expect(marks(await heard)).toEqual(['HTTP/1.1 200', '<slow>'])
})

/** Two pipelined requests: a slow one, and one that expects 100 Continue. */
async function expecting(path: string) {
  let finish: (() => void) | undefined
  const origin = await upstream((message, response) => {
    if (message.url === '/slow') finish = () => response.end('<slow>')
    else if (message.url === '/early') response.end('<early>')
    else message.on('end', () => response.end('<late>')).resume()
  })
  const { port, server } = await stage(origin)
  const asked = once(server, 'checkContinue') as Promise<[unknown, ServerResponse]>
  const lines = 'Expect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n'
  const put = `PUT ${path} HTTP/1.1\r\nHost: shop.example\r\n${lines}\r\n`
  const client = (await pipeline(port, ask('/slow') + put)).setEncoding('latin1')
  const heard: string[] = []
  client.on('data', (part: string) => heard.push(part))
  const [, response] = await asked
  await expect.poll(() => finish).toBeDefined()
  return { client, heard: () => heard.join(''), response, finish: () => finish?.() }
}

const marks = (heard: string) => heard.match(/HTTP\/1.1 \d+|<\w+>/g)

test('100 Continue comes in the turn of its request', async () => {
  const { client, heard, finish } = await expecting('/late')
  finish()
  await expect.poll(heard).toMatch(/100 Continue\r\n\r\n$/)
  client.write('hi')
  await once(client, 'close')
  const inTurn = ['HTTP/1.1 200', '<slow>', 'HTTP/1.1 100', 'HTTP/1.1 200', '<late>']
  expect(marks(heard())).toEqual(inTurn)
})

test('100 Continue is left out when the answer is there before its turn', async () => {
  const { client, heard, response, finish } = await expecting('/early')
  client.write('hi')
  await expect.poll(() => response.writableEnded).toBe(true)
  finish()
  await once(client, 'close')
  expect(marks(heard())).toEqual(['HTTP/1.1 200', '<slow>', 'HTTP/1.1 200', '<early>'])
})

test('an answer is whole though a pipelined one comes while its client does not read', async () => {
  const size = 32 * 1024 * 1024
  let answer: (() => void) | undefined
  const origin = await upstream((message, response) => {
    if (message.url === '/big') response.end(Buffer.alloc(size, 'x'))
    else answer = () => response.end('behind')
  })
  const { port, failures } = await stage(origin)
  const client = await pipeline(port, ask('/big') + ask('/behind'))
  onTestFinished(() => void client.destroy())
  let heard = 0
  let last = ''
  client.setEncoding('latin1').pause()
  // Time for the first answer to fill what there is between upstream and client.
  await new Promise((resolve) => setTimeout(resolve, 500))
  answer?.()
  await new Promise((resolve) => setTimeout(resolve, 100))
  client.on('data', (part: string) => {
    heard += part.length
    last = (last + part).slice(-6)
  })
  client.resume()
  await expect.poll(() => last, { timeout: 10_000 }).toBe('behind')
  expect(heard).toBeGreaterThan(size)
  expect(failures).toEqual([])
})
