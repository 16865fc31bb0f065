import { createGate } from '../../../src/edge/index.js'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { fetchFrom, rawUpstream, readAll, speak, stage, upstream } from './stage.js'

/** An upstream that tells what reached it. */
const mirror = () =>
  upstream((request, response) => {
    void readAll(request).then(({ body, trailers }) => {
      const { method, url, rawHeaders } = request
      response.end(JSON.stringify({ method, url, rawHeaders, body, trailers }))
    })
  })

interface Seen {
  readonly method: string
  readonly url: string
  readonly rawHeaders: string[]
  readonly body: string
}

const seen = ({ body }: { body: string }) => JSON.parse(body) as Seen

/** The lines of one header as upstream saw them. */
const lines = ({ rawHeaders }: Pick<Seen, 'rawHeaders'>, name: string) =>
  rawHeaders.filter((_, at) => rawHeaders[at - 1]?.toLowerCase() === name && at % 2 === 1)

test.each([
  ['GET', ''],
  ['POST', 'payload'],
  ['PUT', ''],
  ['PATCH', 'payload'],
  ['DELETE', ''],
  ['DELETE', 'payload'],
  ['GET', 'payload'],
  ['OPTIONS', ''],
  ['PROPFIND', '<xml/>'],
])('%s with the body "%s" arrives as it was sent', async (method, body) => {
  const { port } = await stage(await mirror())
  const headers = body === '' ? {} : { 'content-length': body.length }
  const reply = await fetchFrom(port, { method, path: '/a?b=c', headers }, body)
  expect(seen(reply)).toMatchObject({ method, url: '/a?b=c', body })
})

test('a chunked request body arrives chunked', async () => {
  const { port } = await stage(await mirror())
  const headers = { 'transfer-encoding': 'chunked' }
  const there = seen(await fetchFrom(port, { method: 'POST', headers }, 'payload'))
  expect(there.body).toBe('payload')
  expect(lines(there, 'transfer-encoding')).toEqual(['chunked'])
  expect(lines(there, 'content-length')).toEqual([])
})

test('the normalised target is forwarded, not the one that was sent', async () => {
  const { port } = await stage(await mirror())
  const answer = await speak(
    port,
    'GET /a/../%62//c?d=../e HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n',
  )
  expect(answer).toContain('"url":"/b/c?d=../e"')
})

test('request headers keep their order, case and repetitions', async () => {
  const { port } = await stage(await mirror())
  const answer = await speak(
    port,
    'GET / HTTP/1.1\r\nX-Two: 1\r\nHost: shop.example\r\nx-ONE: \xe9\r\nX-Two: 2\r\nConnection: close\r\n\r\n',
  )
  const there = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as Seen
  expect(there.rawHeaders.filter((text) => /^x-(one|two)$/i.test(text))).toEqual([
    'X-Two',
    'x-ONE',
    'X-Two',
  ])
  expect(lines(there, 'x-two')).toEqual(['1', '2'])
  expect(lines(there, 'host')).toEqual(['shop.example'])
})

test('the host of the origin is sent when the client’s is not to be preserved', async () => {
  const origin = await mirror()
  const { port } = await stage(origin, { preserveHost: false })
  expect(lines(seen(await fetchFrom(port)), 'host')).toEqual([new URL(origin).host])
})

const asking = (target: string) =>
  `GET ${target} HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n`

test('an absolute-form target replaces Host', async () => {
  const { port } = await stage(await mirror())
  const answer = await speak(port, asking('http://shop.example/x?y'))
  expect(answer).toContain('"url":"/x?y"')
  expect(answer).toContain('"host","shop.example"')
  expect(await speak(port, asking('http://shop.example'))).toContain('"url":"/"')
  expect(await speak(port, asking('http://shop.example?q'))).toContain('"url":"/?q"')
})

test.each([
  ['two Host lines', 'GET / HTTP/1.1\r\nHost: shop.example\r\nHost: other.example\r\n'],
  ['no Host', 'GET / HTTP/1.1\r\n'],
  ['user information', 'GET http://me@shop.example/ HTTP/1.1\r\nHost: shop.example\r\n'],
  ['another scheme', 'GET ftp://shop.example/ HTTP/1.1\r\nHost: shop.example\r\n'],
  [
    'a length and a coding',
    'POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n',
  ],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 1\r\nContent-Length: 2\r\n',
  ],
  ['a space before a colon', 'GET / HTTP/1.1\r\nHost: shop.example\r\nA : b\r\n'],
  ['a folded line', 'GET / HTTP/1.1\r\nHost: shop.example\r\nA: b\r\n c\r\n'],
  [
    'a transfer coding in HTTP/1.0',
    'POST / HTTP/1.0\r\nHost: shop.example\r\nTransfer-Encoding: chunked\r\n',
  ],
])('a request with %s is 400 and goes nowhere', async (_what, head) => {
  let asked = 0
  const { port } = await stage(await upstream(() => void asked++))
  const answer = await speak(port, `${head}Connection: close\r\n\r\n0\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(asked).toBe(0)
})

test('a transfer coding besides chunked is not supported: 501', async () => {
  const { port } = await stage(await mirror())
  const answer = await speak(
    port,
    'POST / HTTP/1.1\r\nHost: shop.example\r\nTransfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n0\r\n\r\n',
  )
  expect(answer).toMatch(/^HTTP\/1\.1 501 /)
})

test('OPTIONS * of a host without a zone passes where such hosts pass', async () => {
  const gate = createGate({ id: 'other', name: 'other.example' }, { unknownHost: 'pass' })
  const { port } = await stage(await mirror(), { gate })
  const answer = await speak(
    port,
    'OPTIONS * HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n',
  )
  expect(answer).toContain('"method":"OPTIONS","url":"*"')
  expect(answer).toContain('"Host","shop.example"')
})

test('a request without Host, as HTTP/1.0 allows, goes upstream with that of the origin', async () => {
  const gate = createGate({ id: 'other', name: 'other.example' }, { unknownHost: 'pass' })
  const origin = await mirror()
  const { port } = await stage(origin, { gate })
  for (const line of ['GET /', 'OPTIONS *'])
    expect((await speak(port, `${line} HTTP/1.0\r\n\r\n`)).toLowerCase()).toContain(
      `"host","${new URL(origin).host}"`,
    )
})

test('a client that expects 100 Continue gets it once its request passed', async () => {
  const { port } = await stage(await mirror())
  const heard: string[] = []
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('latin1')
  socket.write(
    'POST / HTTP/1.1\r\nHost: shop.example\r\nExpect: 100-continue\r\nContent-Length: 4\r\nConnection: close\r\n\r\n',
  )
  socket.on('data', (part: string) => {
    if (heard.push(part) === 1) socket.write('body')
  })
  await new Promise((resolve) => socket.once('close', resolve))
  expect(heard[0]).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  expect(heard.join('')).toContain('"body":"body"')
  expect(heard.join('')).not.toContain('100-continue')
})

test('a response keeps its status, reason, header lines and body to the byte', async () => {
  const head =
    'HTTP/1.1 299 All \xc3\xa9 fine\r\nSet-Cookie: a=1\r\nX-Case: \xff\r\nset-cookie: b=2\r\nDate: never\r\nContent-Length: 3\r\n\r\n'
  const origin = await rawUpstream((socket) =>
    socket.once('data', () => socket.end(`${head}\x00\xffz`, 'latin1')),
  )
  const { port } = await stage(origin)
  const answer = await speak(
    port,
    'GET / HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n',
  )
  expect(answer).toBe(head.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n') + '\x00\xffz')
})

test.each([404, 429, 500, 502, 503, 520, 530])(
  'an error %i of upstream itself passes untouched',
  async (status) => {
    const origin = await upstream((_request, response) => {
      response.writeHead(status, 'Own', { 'content-type': 'text/x', 'retry-after': '7' }).end('own')
    })
    const { port, failures } = await stage(origin)
    const reply = await fetchFrom(port, { headers: { accept: 'application/json' } })
    expect(reply).toMatchObject({ status, reason: 'Own', body: 'own' })
    expect(reply.headers).toMatchObject({ 'content-type': 'text/x', 'retry-after': '7' })
    expect(reply.headers['cf-ray']).toBeUndefined()
    expect(failures).toEqual([])
  },
)

test.each([
  ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n', 200, '10'],
  ['GET', 'HTTP/1.1 204 No Content\r\n\r\n', 204, undefined],
  ['GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n', 304, '10'],
  [
    'GET',
    'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    200,
    '0',
  ],
  ['GET', 'HTTP/1.1 200 OK\r\n\r\n', 200, undefined],
])('%s answered with %j has no body', async (method, text, status, length) => {
  const origin = await rawUpstream((socket) => socket.once('data', () => socket.end(text)))
  const { port } = await stage(origin)
  const reply = await fetchFrom(port, { method })
  expect(reply).toMatchObject({ status, body: '' })
  expect(reply.headers['content-length']).toBe(length)
  expect(reply.headers['link']).toBeUndefined()
})

test('trailers of a response arrive after its body', async () => {
  const origin = await upstream((_request, response) => {
    response.writeHead(200, { trailer: 'x-sum' })
    response.write('body')
    response.addTrailers({ 'x-sum': '42' })
    response.end()
  })
  const { port } = await stage(origin)
  expect(await fetchFrom(port)).toMatchObject({ body: 'body', trailers: { 'x-sum': '42' } })
})

test('trailers arrive byte for byte, also those of one name', async () => {
  const trailers = 'X-Sum: caf\xe9\r\nx-sum: 2\r\n\r\n'
  const origin = await rawUpstream((socket) => {
    socket.once('data', () =>
      socket.end(
        `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n${trailers}`,
        'latin1',
      ),
    )
  })
  const { port } = await stage(origin)
  const answer = await speak(
    port,
    'GET / HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n',
  )
  expect(answer.endsWith(`\r\n0\r\n${trailers}`)).toBe(true)
})

test('trailers of the connection, and those that Connection lists, stay on it', async () => {
  const origin = await rawUpstream((socket) => {
    socket.once('data', () =>
      socket.end(
        'HTTP/1.1 200 OK\r\nConnection: close, X-Hop\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n' +
          'x-hop: 1\r\nX-Sum: 2\r\nProxy-Authenticate: Basic\r\nKeep-Alive: x\r\n\r\n',
      ),
    )
  })
  const { port } = await stage(origin)
  const reply = await fetchFrom(port)
  expect(reply.body).toBe('hi')
  expect(reply.trailers).toEqual({ 'x-sum': '2' })
})

test.each([
  ['chunked ', 200, 'hi'],
  ['\t Chunked   ', 200, 'hi'],
  // undici reads the body of this one to the end of the connection.
  ['chunked\t', 520, 'Error 520'],
])(
  'an answer with the transfer coding %j is read as chunked or not at all',
  async (coding, status, body) => {
    const origin = await rawUpstream((socket) => {
      const head = `HTTP/1.1 200 OK\r\nTransfer-Encoding:${coding}\r\n\r\n`
      socket.once('data', () => socket.end(`${head}2\r\nhi\r\n0\r\n\r\n`))
    })
    const { port } = await stage(origin)
    const reply = await fetchFrom(port)
    expect(reply.status).toBe(status)
    expect(reply.body).toContain(body)
    expect(reply.body).not.toContain('2\r\n')
  },
)

test('a client of HTTP/1.0 gets a body that ends with the connection', async () => {
  const origin = await upstream((_request, response) => {
    response.write('two ')
    response.end('parts')
  })
  const { port } = await stage(origin)
  const answer = await speak(port, 'GET / HTTP/1.0\r\nHost: shop.example\r\n\r\n')
  expect(answer).toMatch(/\r\n\r\ntwo parts$/)
  expect(answer).not.toContain('chunked')
})

test('every request upstream has a ray id, every answer of upstream on request', async () => {
  const { port } = await stage(await mirror(), {
    random: (bytes) => bytes.fill(0xab),
    rayOnAll: true,
  })
  const reply = await fetchFrom(port, { headers: { 'cf-ray': 'forged', cf_ray: 'forged' } })
  expect(lines(seen(reply), 'cf-ray')).toEqual(['abababababababab'])
  expect(reply.headers['cf-ray']).toBe('abababababababab')
  expect(reply.body).not.toContain('forged')
})

test('a request that went round in a circle is stopped with 1000', async () => {
  const { port, failures } = await stage(await mirror(), { pseudonym: 'gate-7' })
  const visited = (times: number) =>
    fetchFrom(port, {
      headers: { via: Array.from({ length: times }, () => '1.1 gate-7').join(', ') },
    })
  expect(lines(seen(await visited(2)), 'via')).toEqual(['1.1 gate-7, 1.1 gate-7', '1.1 gate-7'])
  const stopped = await visited(3)
  expect(stopped).toMatchObject({ status: 403, reason: 'DNS points to prohibited IP' })
  expect(failures.map(({ code }) => code)).toEqual([1000])
})

test.each([
  ['of other names that begin alike', '1.1 gate-70, 1.1 gate-71, HTTP/1.1 gate-72 (gate-7)', 200],
  ['of names that end alike', '1.1 a-gate-7, 1.1 b-gate-7, 1.1 c-gate-7', 200],
  ['with its name for a protocol', 'gate-7 a, gate-7 b, gate-7 c', 200],
  [
    'with comments and all kinds of space',
    '1.1 gate-7 (a),HTTP/1.1\tgate-7\t(b) , 1.1  gate-7',
    403,
  ],
])('a circle is told by whole names in Via, not by those %s', async (_what, via, status) => {
  const { port } = await stage(await mirror(), { pseudonym: 'gate-7' })
  expect((await fetchFrom(port, { headers: { via } })).status).toBe(status)
})

test('requests share connections to upstream', async () => {
  let connections = 0
  const origin = await rawUpstream((socket) => {
    connections++
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))
  })
  const { port } = await stage(origin)
  for (let round = 0; round < 5; round++) expect((await fetchFrom(port)).body).toBe('ok')
  expect(connections).toBeLessThan(3)
})

test('a header line behind thousands of others is seen: the framing of a body, a second Host', async () => {
  const { port } = await stage(await mirror())
  const head = `POST / HTTP/1.1\r\nHost: shop.example\r\n${'x:1\r\n'.repeat(2100)}Connection: close\r\n`
  const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`
  expect(await speak(port, chunked)).toContain('"body":"hello"')
  expect(await speak(port, `${head}Host: other.example\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /)
})
