import { createServer, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { endTogether } from '../../../src/node/proxy/end-together.js'
import { listen } from './stage.js'

/** Keeps what it was ended with. */
function stub(ended: string[]): ServerResponse {
  return { end: (body?: string) => ended.push(body ?? 'nothing') } as unknown as ServerResponse
}

test.each([
  [1, 0],
  [15, 0],
  [16, 16],
  [17, 16],
  [33, 32],
])(
  'of %i responses in one turn %i end before it is over, and all at its end',
  async (count, at) => {
    const ended: string[] = []
    const bodies = Array.from({ length: count }, (_, place) => `${place}`)
    for (const body of bodies) endTogether(stub(ended), body)
    expect(ended).toEqual(bodies.slice(0, at))
    await turn()
    expect(ended).toEqual(bodies)
  },
)

test('without a body, and in the next turn as well', async () => {
  const ended: string[] = []
  for (let round = 0; round < 3; round++) {
    endTogether(stub(ended))
    await turn()
  }
  expect(ended).toEqual(['nothing', 'nothing', 'nothing'])
})

test('pipelined requests are answered in their order, also beside a client that left', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/leave') request.socket.destroy()
    endTogether(response.writeHead(200), request.url)
  })
  const port = await listen(server)
  const [leaving, staying] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  await Promise.all([once(leaving, 'connect'), once(staying, 'connect')])
  leaving.on('error', () => undefined).write('GET /leave HTTP/1.1\r\nHost: a\r\n\r\n')
  const paths = Array.from({ length: 40 }, (_, place) => `/${place}`)
  staying.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''))
  let text = ''
  for await (const part of staying.setEncoding('latin1')) {
    text += part as string
    if (text.split('HTTP/1.1 200 OK').length > 40 && text.endsWith('/39\r\n0\r\n\r\n')) break
  }
  expect([...text.matchAll(/^\/[0-9]+/gm)].map(String)).toEqual(paths)
})
