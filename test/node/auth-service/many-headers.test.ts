import { expect, onTestFinished, test } from 'vitest'
import { startGateServer } from '../../../src/node/gate-server.js'
import { ask, stage, ZONE } from './stage.js'

const many = Array.from({ length: 1100 }, () => ['a', '']).flat()

test('claim headers are found and removed behind any number of other lines', async () => {
  const listen = { host: '127.0.0.1', port: 0 }
  const server = await startGateServer({ policy: ZONE, mode: 'ext-authz', listen })
  onTestFinished(() => server.close(0))
  const headers = ['Host', 'shop.example', ...many, 'x_user', 'root']
  const answer = await ask(Number(new URL(server.url).port), { path: '/health', headers })
  expect(answer.status).toBe(200)
  expect(answer.headers['x-envoy-auth-headers-to-remove']).toBe('x-user,x_user')
})

const question = [
  ['X-Forwarded-Method', 'GET'],
  ['X-Forwarded-Uri', '/health'],
  ['X-Forwarded-Host', 'shop.example'],
]

test.each([
  ['a twin of a claim header', ['x_user', 'root'], 400],
  ['a second path', ['x-forwarded-uri', '/orders'], 403],
])('a service on a server of its own sees %s behind them', async (_what, line, status) => {
  const { port } = await stage({ dialect: 'forward-auth' })
  const lines = [...question.flat(), ...many]
  expect(await ask(port, { headers: lines })).toMatchObject({ status: 200 })
  expect(await ask(port, { headers: [...lines, ...line] })).toMatchObject({ status })
})
