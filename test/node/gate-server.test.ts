import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { PolicyError } from '../../src/edge/index.js'
import {
  ask,
  demoPolicy,
  makeDemoKeys,
  makeDemoTokens,
  type DemoStep,
} from '../../src/node/demo/index.js'
import { startGateServer } from '../../src/node/index.js'

const keys = makeDemoKeys()
const tokens = await makeDemoTokens(keys, Date.now())
const listen = { host: '127.0.0.1', port: 0 }

const upstream = createServer((_, response) => response.end('from upstream'))
const sockets = new WebSocketServer({ server: upstream })
sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)))
beforeAll(() => new Promise<void>((done) => void upstream.listen(0, '127.0.0.1', () => done())))
afterAll(() => void upstream.close())

const upstreamUrl = () => `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
const policy = () => demoPolicy(keys, upstreamUrl())
const orders: DemoStep = {
  title: '',
  method: 'GET',
  host: 'api.localhost',
  path: '/orders/17',
  headers: {},
  expect: { status: 200, decision: null },
}

describe('a gate server', () => {
  test('sends what passes upstream and refuses the rest', async () => {
    const server = await startGateServer({ policy: policy(), listen })
    const headers = { authorization: `Bearer ${tokens.customer}` }
    expect((await ask(server.url, { ...orders, headers })).text).toContain('from upstream')
    expect((await ask(server.url, orders)).status).toBe(401)
    await server.close()
  })

  test('answers other proxies in place of being one, with the pages of the zone', async () => {
    const zone = { ...policy(), edge_errors: { pages: { '1020': '<!doctype html><p>Our page' } } }
    const server = await startGateServer({ policy: zone, listen, mode: 'ext-authz' })
    const headers = { authorization: `Bearer ${tokens.customer}` }
    const passed = await ask(server.url, { ...orders, headers })
    expect(passed.status).toBe(200)
    expect(passed.text).toContain('x-customer: customer-17')
    const refused = await ask(server.url, orders)
    expect(refused.status).toBe(401)
    expect(refused.text).toContain('<!doctype html><p>Our page')
    await server.close()
  })

  test('refuses hosts of no zone: changing the Host header is no way around', async () => {
    const server = await startGateServer({ policy: policy(), listen })
    for (const host of ['api.example.org', 'localhost.example.org', '__proto__', 'constructor']) {
      expect(await ask(server.url, { ...orders, host })).toMatchObject({ status: 530 })
    }
    await server.close()
  })

  test('uses the upstream of its own for zones that name none, and follows a replaced policy', async () => {
    const { upstream: _, ...zone } = policy()
    const server = await startGateServer({ policy: zone, listen, upstream: upstreamUrl() })
    const health = { ...orders, path: '/health' }
    expect((await ask(server.url, health)).status).toBe(200)
    server.gate.replace({ ...zone, upstream: 'http://127.0.0.1:1' })
    expect((await ask(server.url, health)).status).toBe(521)
    server.gate.replace(policy())
    expect((await ask(server.url, health)).status).toBe(200)
    await server.close()
  })

  test('a WebSocket echoes through a real gate, needs its token, and does not keep the server from closing', async () => {
    const server = await startGateServer({ policy: policy(), listen })
    const url = `${server.url.replace('http', 'ws')}/orders/17`
    const refused = new WebSocket(url, { headers: { host: 'api.localhost' } })
    const status = await new Promise((done) =>
      refused.once('unexpected-response', (_, { statusCode }) => done(statusCode)),
    )
    expect(status).toBe(401)

    const headers = { host: 'api.localhost', authorization: `Bearer ${tokens.customer}` }
    const socket = new WebSocket(url, { headers })
    const closed = new Promise<void>((done) => socket.once('close', () => done()))
    const echo = new Promise<string>((done) => socket.once('message', (data) => done(`${data}`)))
    socket.once('open', () => socket.send('through the gate'))
    expect(await echo).toBe('through the gate')
    await server.close(200)
    await closed
  })

  test('a bad policy never listens', async () => {
    await expect(startGateServer({ policy: { id: 'x' }, listen })).rejects.toThrow(PolicyError)
  })
})
