import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createGate, type Policy } from '../../../src/edge/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { fetchFrom, speak, stage, upstream } from './stage.js'

/** Everything below /closed is blocked; claims become headers that no client can set. */
const POLICY: Policy = {
  id: 'zone-1',
  name: 'shop.example',
  operations: ['GET', 'HEAD', 'POST'].map((method) => ({
    operation_id: method,
    method,
    host: 'shop.example',
    endpoint: '/closed/{id}',
  })),
  rules: [{ action: 'block', expression: 'false' }],
  settings: { claim_headers: [{ header: 'X-User', configuration_id: 'main', claim: 'sub' }] },
  token_configurations: [
    {
      id: 'main',
      token_sources: ['http.request.headers["authorization"][0]'],
      credentials: {
        keys: [
          {
            kty: 'oct',
            alg: 'HS256',
            kid: 'one',
            k: 'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE',
          },
        ],
      },
    },
  ],
}

const nobody = () =>
  upstream(() => {
    throw new Error('nobody should ask upstream')
  })

describe('a blocked request', () => {
  test.each([
    ['application/json', '"error_code":1020'],
    ['text/html', '<h1>'],
    ['text/markdown', 'error_code: 1020'],
  ])('is answered in the form of Accept: %s', async (accept, part) => {
    const { port, decisions } = await stage(await nobody(), { policy: POLICY })
    const reply = await fetchFrom(port, { path: '/closed/1', headers: { accept } })
    expect(reply).toMatchObject({ status: 403, reason: 'Access denied' })
    expect(reply.headers['content-type']).toContain(accept)
    expect(reply.headers['cf-ray']).toMatch(/^[0-9a-f]{16}$/)
    expect(reply.body).toContain(part)
    expect(decisions.map(({ action }) => action)).toEqual(['block'])
  })

  test('has no body for HEAD, but its length', async () => {
    const { port } = await stage(await nobody(), { policy: POLICY })
    const reply = await fetchFrom(port, { path: '/closed/1', method: 'HEAD' })
    expect(reply).toMatchObject({ status: 403, body: '' })
    expect(Number(reply.headers['content-length'])).toBeGreaterThan(100)
  })

  test('is blocked however its path is written', async () => {
    const { port } = await stage(await nobody(), { policy: POLICY })
    for (const path of ['/a/../closed/1', '/%63losed/1', '//closed//1', '/closed/1?x']) {
      const target = `http://SHOP.example:80${path}`
      const answer = await speak(
        port,
        `GET ${target} HTTP/1.1\r\nHost: x.example\r\nConnection: close\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 403 /)
    }
  })

  test('that expects 100 Continue gets its refusal instead', async () => {
    const { port } = await stage(await nobody(), { policy: POLICY })
    const answer = await speak(
      port,
      'POST /closed/1 HTTP/1.1\r\nHost: shop.example\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 403 /)
  })

  test('with a small body leaves the connection usable', async () => {
    const { port } = await stage(await nobody(), { policy: POLICY })
    const head = 'POST /closed/1 HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 4\r\n'
    const answers = await speak(port, `${head}\r\nbody${head}Connection: close\r\n\r\nbody`)
    expect(answers.match(/HTTP\/1\.1 403 /g)).toHaveLength(2)
  })

  test('with an endless body is answered, then cut off', async () => {
    const { port } = await stage(await nobody(), { policy: POLICY })
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    let sent = 0
    const part = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`)
    const push = () => {
      while (!socket.destroyed && socket.write(part)) sent += part.length
    }
    socket.write(
      'POST /closed/1 HTTP/1.1\r\nHost: shop.example\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    socket.on('drain', push)
    push()
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 /)
    await new Promise((resolve) => socket.once('close', resolve))
    // A megabyte is thrown away, the kernel's buffers hold a few more.
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })
})

test.each([
  ['GET', '/cdn-cgi/error/1015', 429],
  ['HEAD', '/cdn-cgi/error/522', 522],
  ['GET', '/cdn-cgi/error/999', 404],
  ['POST', '/cdn-cgi/error/1015', 405],
])('%s %s is answered by the edge itself', async (method, path, status) => {
  const { port, decisions } = await stage(await nobody())
  expect((await fetchFrom(port, { method, path })).status).toBe(status)
  expect(decisions).toEqual([])
})

test.each([
  ['if-none-match', '*'],
  ['if-modified-since', 'Fri, 24 Apr 2026 09:22:40 GMT'],
  ['if-match', '"x"'],
  ['range', 'bytes=0-9'],
])(
  'an error page asked for with %s: %s is whole, with the status of its code',
  async (name, value) => {
    // RFC 9110 13.2.1 and 14.2: both are for answers that would be successful.
    const { port } = await stage(await nobody())
    const path = '/cdn-cgi/error/1020'
    const reply = await fetchFrom(port, { path, headers: { [name]: value } })
    expect(reply.status).toBe(403)
    expect(reply.body).toContain('</html>')
    expect(reply.headers['content-length']).toBe(String(reply.body.length))
    expect(reply.headers).not.toHaveProperty('content-range')
    expect(reply.headers).not.toHaveProperty('etag')
  },
)

test.each([
  ['application/json', /^{"type":"https:\/\/shop\.example\/cdn-cgi\/error\/522"/],
  ['text/markdown', /^---\nerror_code: 522\n/],
  ['text/html', /^<!doctype html>/],
])('an error page is negotiated: %s', async (accept, start) => {
  const { port } = await stage(await nobody(), { policy: POLICY })
  const reply = await fetchFrom(port, { path: '/cdn-cgi/error/522', headers: { accept } })
  expect(reply.status).toBe(522)
  expect(reply.headers).toMatchObject({ 'retry-after': '120', vary: 'Accept' })
  expect(reply.body).toMatch(start)
})

test('a header that carries a claim is taken from the client in every spelling', async () => {
  const origin = await upstream((request, response) => {
    response.end(JSON.stringify(request.rawHeaders))
  })
  const { port } = await stage(origin, { policy: POLICY })
  const headers = { 'x-user': 'forged', X_User: 'forged', connection: 'close' }
  const { status, body } = await fetchFrom(port, { path: '/open', headers })
  expect(status).toBe(200)
  expect(body).not.toContain('forged')
})

test('claims that make the head of a request too large are 1038, and upstream is not asked', async () => {
  const parts = [{ alg: 'HS256', kid: 'one' }, { sub: 'é'.repeat(3000) }]
  const text = parts
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const key = 'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE'
  const mac = createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest('base64url')
  const policy: Policy = {
    ...POLICY,
    rules: [{ action: 'block', expression: 'is_jwt_valid("main")' }],
  }
  const { port, failures } = await stage(await nobody(), { policy })
  const headers = { authorization: `Bearer ${text}.${mac}`, accept: 'application/json' }
  const reply = await fetchFrom(port, { path: '/closed/1', headers })
  expect(reply).toMatchObject({ status: 500 })
  expect(reply.headers['retry-after']).toBe('60')
  expect(JSON.parse(reply.body)).toMatchObject({ error_code: 1038, retry_after: 60 })
  expect(failures.map(({ code }) => code)).toEqual([1038])
})

test('a gate that answers later is waited for', async () => {
  const gate = createGate(POLICY, { crypto: nodeCrypto() })
  const origin = await upstream((_request, response) => response.end('ok'))
  const later = {
    decide: (request: Parameters<typeof gate.decide>[0]) => Promise.resolve(gate.decide(request)),
  }
  const { port } = await stage(origin, { gate: later })
  expect((await fetchFrom(port, { path: '/open', method: 'POST' }, 'body')).body).toBe('ok')
  expect((await fetchFrom(port, { path: '/closed/1' })).status).toBe(403)
})
