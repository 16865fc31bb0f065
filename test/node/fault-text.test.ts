import { createServer } from 'node:http'
import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { faultText } from '../../src/node/fault-text.js'
import { listening } from '../../src/node/http-listener.js'

test('of a server that speaks no TLS it is told in words of the one who wrote its URL', async () => {
  const server = createServer()
  onTestFinished(() => void server.close())
  const { port } = new URL(await listening(server, { host: '127.0.0.1', port: 0 }))
  const error = await new Promise<Error>((resolve) => {
    connect({ host: '127.0.0.1', port: Number(port) }).once('error', resolve)
  })
  expect(error.message).toMatch(/SSL routines/)
  expect(faultText(error)).toBe(
    'no TLS is spoken there; where that is as it should be, the URL begins with http:',
  )
})

test.each([
  ['what an error says', new Error('connect ECONNREFUSED ::1:80'), 'connect ECONNREFUSED ::1:80'],
  ['its code where it says nothing', Object.assign(new AggregateError([]), { code: 'EX' }), 'EX'],
  ['its name where it has none', new TypeError(''), 'TypeError'],
])('%s', (_, error, text) => {
  expect(faultText(error)).toBe(text)
})
