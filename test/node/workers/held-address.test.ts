import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { listening } from '../../../src/node/http-listener.js'
import { holdAddress, type HeldAddress } from '../../../src/node/workers/held-address.js'

const opened: (HeldAddress | Server)[] = []
afterEach(() => {
  for (const each of opened.splice(0)) {
    if ('release' in each) each.release()
    else each.close()
  }
})

async function served(): Promise<{ readonly host: string; readonly port: number }> {
  const server = createServer()
  opened.push(server)
  const { hostname, port } = new URL(await listening(server, { host: '127.0.0.1', port: 0 }))
  return { host: hostname, port: Number(port) }
}

test('an address where somebody listens cannot be held, and the error is that of listen', async () => {
  const { host, port } = await served()
  await expect(holdAddress({ host, port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    syscall: 'listen',
    message: expect.stringContaining(`${host}:${port}`) as string,
  })
})

test.each([
  ['an address of another machine', { host: '192.0.2.1', port: 0 }, 'EADDRNOTAVAIL'],
  ['a name that nobody has', { host: 'nobody.invalid', port: 0 }, expect.stringMatching(/^E/)],
])('%s cannot be held', async (_, address, code) => {
  await expect(holdAddress(address)).rejects.toMatchObject({ code })
})

test.each(['127.0.0.1', 'localhost', '::'])('%s can, and is let go', async (host) => {
  const held = await holdAddress({ host, port: 0 })
  expect(held.fd).toBeGreaterThan(2)
  held.release()
  held.release()
})

test('nobody answers where an address is held alone, and it is free again afterwards', async () => {
  const address = await served()
  await new Promise((done) => (opened.pop() as Server).close(done))
  const held = await holdAddress(address)
  const fault = await new Promise<Error>((done) => connect(address).once('error', done))
  expect(fault).toMatchObject({ code: 'ECONNREFUSED' })
  held.release()
  const server = createServer()
  opened.push(server)
  expect(await listening(server, address)).toBe(`http://127.0.0.1:${address.port}`)
})
