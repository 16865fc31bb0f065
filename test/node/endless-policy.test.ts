import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { followPolicy } from '../../src/node/follow-policy.js'
import type { FollowState, PolicySource } from '../../src/node/policy-source.js'

const STAMP = { etag: '"hash"', 'x-policy-version': '1' }

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portcullis-endless-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Follows a policy that `fetch` answers without end. */
function follow(url: string, given: typeof fetch, states: FollowState[] = []): PolicySource {
  return followPolicy({
    url: `${url}/client/v4/zones/z/gate/policy`,
    token: 'secret-token',
    cacheDir: folder,
    instance: 'gate',
    onPolicy() {},
    onState: (state) => states.push(state),
    fetch: given,
  })
}

test('who stops while a policy is on its way reads no more of it', async () => {
  let begun: (() => void) | undefined
  let gone: (() => void) | undefined
  const pouring = new Promise<void>((resolve) => (begun = resolve))
  const ended = new Promise<void>((resolve) => (gone = resolve))
  const pour: RequestListener = ({ url, socket }, response) => {
    if (!url?.endsWith('/policy')) return response.writeHead(503).end()
    const more = setInterval(() => response.write(' '.repeat(50_000)), 1)
    socket.once('close', () => {
      clearInterval(more)
      gone?.()
    })
    response.writeHead(200, STAMP)
    return setTimeout(() => begun?.(), 200)
  }
  const server = createServer(pour)
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', () => done()))
  const { port } = server.address() as AddressInfo
  const source = follow(`http://127.0.0.1:${port}`, fetch)
  await pouring
  // A fetch forgets its signal with what nobody holds any more.
  collectGarbage()
  await source.stop()
  await ended
  server.close()
})

test('an answer larger than any policy is read no further, and told of', async () => {
  const piece = new Uint8Array(16 * 2 ** 20).fill(0x20)
  let [most, cancelled] = [0, 0]
  const states: FollowState[] = []
  const source = follow(
    'http://management.test',
    async (address) => {
      if (!String(address).endsWith('/policy')) return new Response('', { status: 503 })
      let pulled = 0
      const body = new ReadableStream<Uint8Array>({
        // One that is never told to end would take all memory.
        pull(stream) {
          most = Math.max(most, ++pulled)
          if (pulled > 50) stream.close()
          else stream.enqueue(piece)
        },
        cancel: () => void cancelled++,
      })
      return new Response(body, { headers: STAMP })
    },
    states,
  )
  await expect.poll(() => states.length, { timeout: 20_000 }).toBeGreaterThan(0)
  expect(states[0]).toMatchObject({ connected: false, problem: expect.stringMatching(/more than/) })
  expect(most).toBeLessThan(20)
  expect(cancelled).toBeGreaterThan(0)
  await source.stop()
})
