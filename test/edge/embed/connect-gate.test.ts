import { connect, type AddressInfo } from 'node:net'
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { connect as connectHttp2, createServer as createSecureless } from 'node:http2'
import { afterEach, describe, expect, test } from 'vitest'
import { createGate, type Decision, type Zone } from '../../../src/edge/index.js'
import {
  connectGate,
  type ConnectRequest,
  type EmbedOptions,
} from '../../../src/edge/embed/index.js'
import {
  bearer,
  FORGED,
  gateOf,
  judging,
  NOW,
  SESSION,
  VALID,
  configuration,
  ES,
  zone,
} from '../gate/zone-fixture.js'
import { expectRefusal, FORMS, type Answer } from './answers.js'

type Asked = IncomingMessage & { decision?: Decision }
type Lines = readonly (readonly [string, string])[]

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** A server behind a gate that answers with what a handler sees. */
async function serve(
  gate: ReturnType<typeof gateOf>,
  options: EmbedOptions<Asked> = {},
): Promise<number> {
  const guard = connectGate<Asked>(gate, options)
  const server = createServer((request: Asked, response) => {
    guard(request, response, (error) => {
      if (error !== undefined) response.statusCode = 500
      const { url, headers, rawHeaders, headersDistinct, decision } = request
      response.end(
        JSON.stringify({ url, headers, rawHeaders, distinct: headersDistinct, decision }),
      )
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

interface Call {
  readonly method?: string
  readonly path?: string
  readonly lines?: Lines
}

/** Asks over a real socket; header lines go out as given. */
function call(
  port: number,
  { method = 'GET', path = '/users/42', lines = [] }: Call = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = [['Host', 'api.example.com'], ['Connection', 'close'], ...lines].flat()
    const outgoing = httpRequest({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.on('end', () => {
        const header = (name: string) => {
          const value = response.headers[name]
          return value === undefined ? null : String(value)
        }
        resolve({ status: response.statusCode ?? 0, body, header })
      })
    })
    outgoing.on('error', reject).end()
  })
}

/** Sends a request as bytes, for what a client library would not send. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(text, 'latin1'))
    let answer = ''
    socket.setEncoding('latin1').on('data', (part: string) => (answer += part))
    socket.on('end', () => resolve(answer)).on('error', reject)
  })
}

const ask = async (policy: Zone, asked: Call = {}, options: EmbedOptions<Asked> = {}) =>
  call(await serve(gateOf(policy), options), asked)
const seen = async (policy: Zone, asked: Call = {}) => JSON.parse((await ask(policy, asked)).body)

const SETTINGS = {
  claim_headers: [{ header: 'X-User', configuration_id: 'A', claim: 'sub' }],
  strip_tokens: true,
} as const

describe('connectGate, over real sockets', () => {
  test('hands a request with a valid token on, with its decision', async () => {
    const lines = [bearer(VALID)]
    expect(await seen(zone(), { path: '/users/42?a=b', lines })).toMatchObject({
      url: '/users/42?a=b',
      headers: { host: 'api.example.com', authorization: `Bearer ${VALID}` },
      decision: { action: 'pass', operation: 'op', rule: 'rule', epoch: 1 },
    })
  })

  test.each(FORMS)('refuses with Accept: %s in %s', async (accept, type, start) => {
    const lines: Lines = accept === undefined ? [] : [['Accept', accept]]
    expectRefusal(await ask(zone(), { lines }), type, start)
  })

  test('refuses HEAD without a body', async () => {
    const policy = zone({ settings: { unlisted_operations: 'cover' } })
    const answer = await ask(policy, { method: 'HEAD' })
    expect(answer).toMatchObject({ status: 401, body: '' })
    expect(Number(answer.header('content-length'))).toBeGreaterThan(0)
  })

  test('judges the first of several header lines, as handlers read it', async () => {
    expect((await ask(zone(), { lines: [bearer(VALID), bearer(FORGED)] })).status).toBe(200)
    expect((await ask(zone(), { lines: [bearer(FORGED), bearer(VALID)] })).status).toBe(401)
  })

  test('hands on the URL that was judged', async () => {
    const lines = [bearer(VALID)]
    const { url, decision } = await seen(zone(), { path: '//x/../users/%34%32?q=%20', lines })
    expect(url).toBe('/users/42?q=%20')
    expect(decision.operation).toBe('op')
  })

  test('puts claims into headers, removes the client\u2019s own and strips tokens, in every reading', async () => {
    const lines: Lines = [bearer(VALID), ['X-User', 'root'], ['x_user', 'root'], ['X-Other', 'o']]
    const { headers, rawHeaders, distinct } = await seen(zone({ settings: SETTINGS }), { lines })
    expect(headers).toEqual({
      host: 'api.example.com',
      connection: 'close',
      'x-other': 'o',
      'x-user': 'alice',
    })
    expect(rawHeaders.join(' ')).toBe(
      'Host api.example.com Connection close X-Other o X-User alice',
    )
    expect(distinct['x-user']).toEqual(['alice'])
  })

  test('removes a client\u2019s claim header from a request that no rule decides', async () => {
    const lines: Lines = [
      ['X-User', 'root'],
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]
    const { headers, rawHeaders } = await seen(zone({ settings: SETTINGS }), { path: '/', lines })
    expect(headers['x-user']).toBeUndefined()
    expect(headers['constructor']).toBe('y')
    expect(rawHeaders).not.toContain('X-User')
  })

  test('sets a claim header of the name __proto__ like any other', async () => {
    const settings = {
      claim_headers: [{ header: '__proto__', configuration_id: 'A', claim: 'sub' }],
    }
    const lines: Lines = [bearer(VALID), ['__proto__', 'root']]
    const { rawHeaders } = await seen(zone({ settings }), { lines })
    expect(rawHeaders.slice(-2)).toEqual(['__proto__', 'alice'])
    expect(rawHeaders).not.toContain('root')
  })

  test('strips a token out of the cookies', async () => {
    const policy = zone({
      token_configurations: [configuration('A', [ES], [SESSION])],
      settings: SETTINGS,
    })
    const of = (cookie: string) => seen(policy, { lines: [['Cookie', cookie]] })
    const some = await of(`a=b; session=${VALID}; c=d`)
    expect(some.headers.cookie).toBe('a=b; c=d')
    expect(some.rawHeaders).toContain('a=b; c=d')
    const none = await of(`session=${VALID}`)
    expect(none.headers.cookie).toBeUndefined()
    expect(none.rawHeaders).not.toContain('Cookie')
  })

  test('answers the page of an error without a decision', async () => {
    let told = 0
    const options = { onDecision: () => void (told += 1), now: () => NOW }
    const lines: Lines = [['Accept', 'application/json']]
    const answer = await ask(zone(), { path: '/cdn-cgi/error/1015', lines }, options)
    expect(answer.status).toBe(429)
    expect(JSON.parse(answer.body)).toMatchObject({ error_code: 1015, zone: 'api.example.com' })
    expect((await ask(zone(), { path: '/cdn-cgi/error/1015', method: 'POST' })).status).toBe(405)
    expect((await ask(zone(), { path: '/cdn-cgi/error/1' })).status).toBe(404)
    expect(told).toBe(0)
  })

  test('tells of every decision', async () => {
    const told: string[] = []
    const options: EmbedOptions<Asked> = {
      onDecision: ({ action }, { url }) => void told.push(`${action} ${url}`),
    }
    await ask(zone(), {}, options)
    await ask(zone(), { path: '/x' }, options)
    expect(told).toEqual(['block /users/42', 'pass /x'])
  })

  test('knows the address of the peer, or what it is told', async () => {
    const policy = judging('ip.src eq 127.0.0.1')
    expect((await ask(policy)).status).toBe(200)
    expect((await ask(policy, {}, { ip: () => '192.0.2.1' })).status).toBe(403)
  })

  test('works with WebCrypto', async () => {
    const gate = createGate(zone(), { now: () => NOW }) as ReturnType<typeof gateOf>
    const port = await serve(gate)
    expect((await call(port, { lines: [bearer(VALID)] })).status).toBe(200)
    expect((await call(port)).status).toBe(401)
  })

  test.each<[string, string, number]>([
    [
      'an absolute target counts by its authority',
      'GET http://api.example.com/users/42 HTTP/1.1\r\nHost: www.example.com',
      401,
    ],
    [
      'whatever Host says',
      'GET http://www.example.com/users/42 HTTP/1.1\r\nHost: api.example.com',
      200,
    ],
    [
      'user information in it is refused',
      'GET http://x@api.example.com/users/42 HTTP/1.1\r\nHost: www.example.com',
      400,
    ],
    [
      'user information in Host is refused',
      'GET /users/42 HTTP/1.1\r\nHost: x@api.example.com',
      400,
    ],
    [
      'another scheme is refused',
      'GET ftp://api.example.com/users/42 HTTP/1.1\r\nHost: api.example.com',
      400,
    ],
    ['a backslash is data', 'GET /x\\users/42 HTTP/1.1\r\nHost: api.example.com', 200],
    [
      'a backslash by which some would reach what is guarded is refused',
      'GET /x\\..\\users/42 HTTP/1.1\r\nHost: api.example.com',
      400,
    ],
    ['an encoded zero byte is data', 'GET /users/%00 HTTP/1.1\r\nHost: api.example.com', 401],
    ['a fragment is cut off', 'GET /users/42#/../../x HTTP/1.1\r\nHost: api.example.com', 401],
    ['an asterisk by OPTIONS passes', 'OPTIONS * HTTP/1.1\r\nHost: api.example.com', 200],
  ])('%s', async (_what, head, status) => {
    const port = await serve(gateOf(zone()))
    const answer = await raw(port, `${head}\r\nConnection: close\r\n\r\n`)
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
  })

  test('handlers see the host of an absolute target, which was judged', async () => {
    const port = await serve(gateOf(zone()))
    const answer = await raw(
      port,
      'GET http://www.example.com/users/42 HTTP/1.1\r\nHost: api.example.com\r\nConnection: close\r\n\r\n',
    )
    const { url, headers, rawHeaders } = JSON.parse(answer.split('\r\n\r\n')[1] ?? '')
    expect([url, headers.host]).toEqual(['/users/42', 'www.example.com'])
    expect(rawHeaders).not.toContain('api.example.com')
  })
})

test('connectGate judges HTTP/2 by its authority', async () => {
  const guard = connectGate(gateOf(zone({ settings: SETTINGS })))
  const server = createSecureless((request, response) => {
    guard(request, response, () => response.end(JSON.stringify([request.url, request.headers])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const get = (headers: Record<string, string>) =>
    new Promise<[status: unknown, body: string]>((resolve, reject) => {
      const stream = session.request({
        ':authority': 'api.example.com',
        ':path': '/users/42',
        ...headers,
      })
      let status: unknown
      let body = ''
      stream.on('response', (answer) => (status = answer[':status']))
      stream.setEncoding('utf8').on('data', (text: string) => (body += text))
      stream.on('end', () => resolve([status, body])).on('error', reject)
    })
  expect((await get({}))[0]).toBe(401)
  expect((await get({ host: 'www.example.com' }))[0]).toBe(401)
  const [status, body] = await get({
    authorization: VALID,
    'x-user': 'root',
    ':path': '//users/%34',
  })
  const [url, headers] = JSON.parse(body)
  expect([status, url, headers['x-user'], headers.authorization]).toEqual([
    200,
    '/users/4',
    'alice',
    undefined,
  ])
  session.close()
  server.close()
})

describe('connectGate below a mount point of Express', () => {
  interface Outcome {
    readonly url: string | undefined
    readonly status: number
    readonly error: unknown
  }

  /** A request as Express shows it to middleware that is mounted at a path. */
  function mounted(baseUrl: string, url: string, originalUrl = baseUrl + url): Outcome {
    const request: ConnectRequest = {
      method: 'GET',
      url,
      baseUrl,
      originalUrl,
      httpVersion: '1.1',
      headers: { host: 'api.example.com' },
      rawHeaders: ['Host', 'api.example.com'],
    }
    const response = { statusCode: 0, setHeader: () => {}, end: () => {} }
    let error: unknown
    connectGate(gateOf(zone()))(request, response, (fault) => {
      error = fault
    })
    return { url: request.url, status: response.statusCode, error }
  }

  test.each<[string, string, string, string]>([
    ['/api', '/open', '/api/open', '/open'],
    ['/api', '/open?a=b', '/api/open?a=b', '/open?a=b'],
    ['/api', '/x//../%6fpen', '/api/x//../%6fpen', '/open'],
    ['/api', '/', '/api', '/'],
    ['/api', '/', '/api/', '/'],
    ['/api', '/?a=b', '/api?a=b', '/?a=b'],
    ['', '/open', '/open', '/open'],
  ])('%s: %s of %s goes on as %s', (baseUrl, url, originalUrl, inner) => {
    expect(mounted(baseUrl, url, originalUrl)).toEqual({ url: inner, status: 0, error: undefined })
  })

  test.each([
    ['/users', '/42', '/users/42'],
    ['/users', '/x/../42', '/users/x/../42'],
    ['/users/42', '/', '/users/42'],
  ])('%s: %s is judged as %s', (baseUrl, url, originalUrl) => {
    expect(mounted(baseUrl, url, originalUrl).status).toBe(401)
  })

  test.each([
    ['/api', '/../other'],
    ['/api', '/../apix'],
    ['/api', '/%2e%2e/other'],
    ['/%61pi', '/open'],
  ])('%s: %s would leave the mount point and is an error of the client', (baseUrl, url) => {
    const { error, url: after } = mounted(baseUrl, url)
    expect(error).toMatchObject({ status: 400 })
    expect(after).toBe(url)
  })
})
