import { expect, onTestFinished, test } from 'vitest'
import { startGateServer } from '../../../src/node/gate-server.js'
import { ask, ZONE } from './stage.js'

test('claim headers are found and removed behind any number of other lines', async () => {
  const listen = { host: '127.0.0.1', port: 0 }
  const server = await startGateServer({ policy: ZONE, mode: 'ext-authz', listen })
  onTestFinished(() => server.close(0))
  const many = Array.from({ length: 1100 }, () => ['a', '']).flat()
  const headers = ['Host', 'shop.example', ...many, 'x_user', 'root']
  const answer = await ask(Number(new URL(server.url).port), { path: '/health', headers })
  expect(answer.status).toBe(200)
  expect(answer.headers['x-envoy-auth-headers-to-remove']).toBe('x-user,x_user')
})
