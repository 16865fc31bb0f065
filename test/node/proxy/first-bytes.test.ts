import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fetchFrom, rawUpstream, stage } from './stage.js'

/** How upstream frames a body: the line that says so, and what it sends. */
const FRAMED = {
  length: (body: Buffer) => ({ line: `Content-Length: ${body.length}`, sent: body }),
  chunked(body: Buffer) {
    const size = Buffer.from(`${body.length.toString(16)}\r\n`)
    const sent = Buffer.concat([size, body, Buffer.from('\r\n0\r\n\r\n')])
    return { line: 'Transfer-Encoding: chunked', sent }
  },
}

const cases = [1, 256, 4096, 4097, 40_000].flatMap((length) =>
  (['length', 'chunked'] as const).flatMap((framed) =>
    [0, 20].map((apartMs) => [length, framed, apartMs] as const),
  ),
)

test.each(cases)('%i bytes, %s, %i ms behind their head, arrive as they are', async (...row) => {
  const [length, framed, apartMs] = row
  const body = Buffer.from(Array.from({ length }, (_, at) => at & 0xff))
  const { line, sent } = FRAMED[framed](body)
  const head = Buffer.from(`HTTP/1.1 200 OK\r\n${line}\r\n\r\n`)
  const origin = await rawUpstream((socket) => {
    socket.once('data', async () => {
      if (apartMs === 0) return void socket.end(Buffer.concat([head, sent]))
      socket.write(head)
      await delay(apartMs)
      socket.end(sent)
    })
  })
  const { port, failures } = await stage(origin)
  const reply = await fetchFrom(port)
  expect(Buffer.from(reply.body, 'latin1').equals(body)).toBe(true)
  expect(reply.rawHeaders.join(': ')).toContain(line)
  expect(failures).toEqual([])
})
