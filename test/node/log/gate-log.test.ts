import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createLogger, gateLog } from '../../../src/node/log/index.js'
import { closedPort, fetchFrom, stage } from '../proxy/stage.js'

test('of an upstream that failed it says for whom, where and why, without the query', async () => {
  const to = new PassThrough({ encoding: 'utf8' })
  const { onFailure } = gateLog(createLogger('info', null, to))
  const port = await closedPort()
  const proxy = await stage(`http://127.0.0.1:${port}`, { onFailure })
  const { status } = await fetchFrom(proxy.port, { path: '/orders/17?access_token=secret' })
  expect(status).toBe(521)
  expect(JSON.parse(to.read() as string)).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^20/) as string,
    ray: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    method: 'GET',
    host: 'shop.example',
    path: '/orders/17',
    code: 521,
    why: `connect ECONNREFUSED 127.0.0.1:${port}`,
    msg: 'upstream failed',
  })
})
