import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { managementHandler } from '../../../src/node/serve/management-handler.js'

function stage(status = 200, settle = async () => {}) {
  const heard: string[] = []
  const logged: Record<string, unknown>[] = []
  let ready = true
  const handle = managementHandler({
    api: async ({ method }) => (heard.push(`api ${method}`), new Response('{}', { status })),
    settled: () => settle().then(() => void heard.push('settled')),
    isLarge: (zone) => zone === 'large',
    ready: () => ready,
    metrics: async () => 'portcullis_in_step 1\n',
    answered: (method, code) => void heard.push(`${method} ${code}`),
    log: pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) }),
  })
  const ask = (method: string, path: string, headers = {}) =>
    handle(new Request(`http://127.0.0.1:8787${path}`, { method, headers }))
  return { ask, heard, logged, setReady: (is: boolean) => void (ready = is) }
}

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  'what %s changed is in force before it is answered',
  async (method) => {
    const { ask, heard } = stage()
    await ask(method, '/client/v4/zones')
    expect(heard).toEqual([`api ${method}`, 'settled', `${method} 200`])
  },
)

test.each([
  ['small', 1000],
  ['large', 50],
])(
  'a change of a %s zone is answered after %i ms where the gate takes longer',
  async (zone, most) => {
    vi.useFakeTimers()
    try {
      const { ask, heard } = stage(200, () => new Promise(() => {}))
      void ask('POST', `/client/v4/zones/${zone}/token_validation/rules`)
      await vi.advanceTimersByTimeAsync(most - 1)
      expect(heard).toEqual(['api POST'])
      await vi.advanceTimersByTimeAsync(1)
      expect(heard).toEqual(['api POST', 'POST 200'])
    } finally {
      vi.useRealTimers()
    }
  },
)

test('what only reads, and what was refused, changes nothing', async () => {
  const reads = stage()
  await reads.ask('GET', '/client/v4/zones')
  expect(reads.heard).toEqual(['api GET', 'GET 200'])
  const refused = stage(400)
  await refused.ask('POST', '/client/v4/zones')
  expect(refused.heard).toEqual(['api POST', 'POST 400'])
})

test('a process that is not ready says so, and is alive all the same', async () => {
  const { ask, setReady } = stage()
  expect((await ask('GET', '/readyz')).status).toBe(200)
  setReady(false)
  expect((await ask('GET', '/readyz')).status).toBe(503)
  expect((await ask('GET', '/healthz')).status).toBe(200)
})

test('a log line tells what was asked, without query and credentials', async () => {
  const { ask, logged } = stage()
  const headers = { authorization: 'Bearer a-secret-of-the-tests', cookie: 'a-cookie' }
  await ask('GET', '/client/v4/zones?name=a-query', headers)
  expect(logged).toMatchObject([{ method: 'GET', path: '/client/v4/zones', status: 200 }])
  expect(JSON.stringify(logged)).not.toMatch(/a-secret|a-query|a-cookie/)
})

test('watching is neither counted nor logged as use of the API', async () => {
  const { ask, heard, logged } = stage()
  for (const path of ['/healthz', '/readyz', '/metrics']) await ask('GET', path)
  expect([heard, logged]).toEqual([[], []])
})
