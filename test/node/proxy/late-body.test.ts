import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createGate } from '../../../src/edge/index.js'
import { rawUpstream, stage } from './stage.js'

const LINES = 'Content-Disposition: attachment; filename="caf\xc3\xa9"\r\nX-Bytes: \x80\xff\r\n'

test.each([
  ['of known length', 'Content-Length: 2\r\n', 'ok'],
  ['chunked', 'Transfer-Encoding: chunked\r\n', '2\r\nok\r\n0\r\n\r\n'],
])('a head whose body comes later passes byte for byte: %s', async (_what, framing, body) => {
  for (const start of ['GET /', 'OPTIONS *']) {
    const upstream: Socket[] = []
    const origin = await rawUpstream((socket) => {
      upstream.push(socket)
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\n${LINES}${framing}\r\n`, 'latin1')
      })
    })
    const gate = createGate({ id: 'zone-1', name: 'other.example' }, { unknownHost: 'pass' })
    const { port } = await stage(origin, { gate })
    const client = connect(port, '127.0.0.1').setEncoding('latin1')
    client.write(`${start} HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n`)
    // The body is not sent before the client has the head.
    let [heard] = (await once(client, 'data')) as [string]
    client.on('data', (part: string) => (heard += part))
    expect(heard).toContain(`\r\n${LINES}`)
    upstream[0]?.write(body)
    await once(client, 'close')
    expect(heard).toContain(`\r\n\r\n${body}`)
  }
})
