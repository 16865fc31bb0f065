import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createGate, type Decision, type Zone } from '../../../src/edge/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { check, clientOf, grpcStage, type Asked, type Verdict } from './grpc-stage.js'
import { ask, NOW, stage, tokenOf, ZONE, type Answer } from './stage.js'

const [users] = ZONE.token_configurations ?? []

/** Tokens of a header or a cookie, which upstream is not to see, and rules about all that is told. */
const zone: Zone = {
  ...ZONE,
  settings: { ...ZONE.settings, strip_tokens: true },
  token_configurations: [
    {
      ...users!,
      token_sources: [
        'http.request.headers["authorization"][0]',
        'http.request.cookies["session"][0]',
      ],
    },
  ],
  operations: [
    ...(ZONE.operations ?? []),
    { operation_id: 'wire', method: 'GET', host: 'wire.shop.example', endpoint: '/wire' },
    { operation_id: 'version', method: 'GET', host: 'version.shop.example', endpoint: '/v' },
  ],
  rules: [
    {
      id: 'wire',
      action: 'block',
      expression:
        'ssl and ip.src in {192.0.2.0/24} and ' +
        'http.host eq "wire.shop.example" and http.request.uri.query eq "a=1" and ' +
        'any(http.request.headers["x-two"][*] eq "second") and ' +
        'not any(http.request.headers.names[*] contains "forwarded") and ' +
        'not any(http.request.headers.names[*] contains ":")',
      selector: { include: [{ host: ['wire.shop.example'] }] },
    },
    {
      id: 'version',
      action: 'block',
      expression: 'http.request.version eq "HTTP/1.1"',
      selector: { include: [{ host: ['version.shop.example'] }] },
    },
    ...(ZONE.rules ?? []),
  ],
}

const gate = () => createGate(zone, { crypto: nodeCrypto(), now: () => NOW * 1000 })
const random = (bytes: Uint8Array) => void bytes.fill(0xab)

/** The same service asked in both ways. */
async function bothStages() {
  const http = await stage({ dialect: 'ext-authz', gate: gate(), random })
  const grpc = await grpcStage({ gate: gate(), random })
  return { http, grpc, client: clientOf(grpc.port) }
}

type Both = Awaited<ReturnType<typeof bothStages>>

const FRAMING = new Set(['connection', 'content-length', 'date', 'keep-alive'])
const REMOVAL = 'x-envoy-auth-headers-to-remove'

/** What Envoy does with an answer over HTTP. */
function verdictOf({ status, headers, body }: Answer): Omit<Verdict, 'code'> {
  const removed = String(headers[REMOVAL] ?? '')
  const kept = Object.entries(headers)
    .filter(([name]) => !FRAMING.has(name) && name !== REMOVAL)
    .map(([name, value]) => [name, [value].flat().join()] as const)
  return { status, headers: kept, removed: removed === '' ? [] : removed.split(','), body }
}

const plain = (decisions: readonly Decision[]): unknown => JSON.parse(JSON.stringify(decisions))

const inOrder = (lines: readonly (readonly [string, string])[]) =>
  lines.map(([name, value]) => [name.toLowerCase(), value]).toSorted()

/** Asks in both ways, and gives the one verdict that both came to. */
async function agreed({ http, grpc, client }: Both, asked: Asked): Promise<Verdict> {
  const { method = 'GET', host = 'shop.example', path, scheme = 'http', headers = [] } = asked
  const { source = '192.0.2.7' } = asked
  const way = ['x-forwarded-for', source, 'x-forwarded-proto', scheme]
  http.decisions.length = grpc.decisions.length = 0
  const question = { method, path, headers: [...headers, ...way, 'Host', host] }
  const overHttp = verdictOf(await ask(http.port, question))
  const { code, ...overGrpc } = await check(client, { ...asked, headers: [...headers, ...way] })
  expect({ ...overGrpc, headers: inOrder(overGrpc.headers) }).toEqual({
    ...overHttp,
    headers: inOrder(overHttp.headers),
  })
  expect(plain(grpc.decisions)).toEqual(plain(http.decisions))
  expect(code === 0).toBe(overHttp.status === 200)
  return { ...overGrpc, code }
}

const bearer = ['authorization', `Bearer ${tokenOf('ada')}`]
const json = ['accept', 'application/json']
const wire = { host: 'wire.shop.example', path: '/wire?a=1', scheme: 'https' }

describe.each([
  ['merged by name', false],
  ['as they are', true],
])('over gRPC with header lines %s, and over HTTP, the verdict is one', (_how, raw) => {
  test.each<[string, Asked, number]>([
    ['a valid token', { path: '/orders?page=2', headers: bearer }, 200],
    [
      'a token in a cookie',
      { path: '/orders', headers: ['cookie', `session=${tokenOf('b')}`] },
      200,
    ],
    [
      'a cookie beside the one with the token',
      { path: '/orders', headers: ['cookie', `a=b; session=${tokenOf('c')}`] },
      200,
    ],
    ['no token', { path: '/orders', headers: json }, 401],
    ['a token that is none', { path: '/orders', headers: ['authorization', 'Bearer x'] }, 401],
    ['another method', { method: 'POST', path: '/orders' }, 401],
    ['a method that is not listed', { method: 'PUT', path: '/orders' }, 200],
    ['HEAD', { method: 'HEAD', path: '/orders' }, 200],
    ['a claim header of a stranger', { path: '/health', headers: ['x-user', 'root'] }, 200],
    ['its twin with underscore', { path: '/health', headers: ['x_user', 'root'] }, 200],
    ['both beside a token', { path: '/orders', headers: [...bearer, 'x-user', 'root'] }, 200],
    ['an unknown host', { path: '/health', host: 'else.example' }, 530],
    ['a host that is none', { path: '/health', host: 'shop..example' }, 400],
    ['a dot segment', { path: '/x/../orders', headers: bearer }, 400],
    ['an encoded dot segment', { path: '/x/%2e%2e/health' }, 400],
    ['an empty segment', { path: '//health' }, 400],
    ['another spelling of the same path', { path: '/%6frders', headers: bearer }, 200],
    ['a fragment', { path: '/health#/orders' }, 400],
    ['an error page', { path: '/cdn-cgi/error/1015', headers: json }, 429],
    [
      'an error page as Markdown',
      { path: '/cdn-cgi/error/1015', headers: ['accept', 'text/markdown'] },
      429,
    ],
    ['bytes that are no UTF-8', { path: '/health', headers: ['x-bytes', '\xe9\xff'] }, 200],
    ['a header called __proto__', { path: '/health', headers: ['__proto__', 'x'] }, 200],
    ['what a rule asks of the request', { ...wire, headers: ['x-two', 'second'] }, 200],
    ['the same without TLS', { ...wire, scheme: 'http', headers: ['x-two', 'second'] }, 403],
    ['from elsewhere', { ...wire, source: '198.51.100.1', headers: ['x-two', 'second'] }, 403],
  ])('on %s', async (_, asked, status) => {
    expect(await agreed(await bothStages(), { ...asked, raw })).toMatchObject({ status })
  })

  test('on any request', async () => {
    const both = await bothStages()
    const asked = fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'HEAD', 'DELETE'),
      path: fc
        .array(fc.constantFrom('/', 'orders', 'health', '..', '.', '%2e', '%2F', '?', '#', 'x'))
        .map((parts) => `/${parts.join('')}`),
      host: fc.constantFrom('shop.example', 'SHOP.example', 'shop.example:8443', 'else.example'),
      scheme: fc.constantFrom('http', 'https'),
      source: fc.constantFrom('192.0.2.7', '198.51.100.1', '2001:db8::1', '127.0.0.1'),
      headers: fc
        .uniqueArray(
          fc.constantFrom(
            bearer,
            ['authorization', 'Bearer a.b.c'],
            ['cookie', `session=${tokenOf('eve')}; a=b`],
            ['cookie', 'a=b'],
            ['x-user', 'root'],
            ['X_User', 'root'],
            json,
            ['accept', 'text/html, */*;q=0.1'],
            ['x-forwarded-for', '192.0.2.99'],
          ),
          { selector: ([name]) => name },
        )
        .map((lines) => lines.flat()),
    })
    await fc.assert(
      fc.asyncProperty(asked, async (each) => void (await agreed(both, { ...each, raw }))),
      { numRuns: 150, seed: 17 },
    )
  })
})

test('the version is the client’s over gRPC; over HTTP that of the question tells nothing of it', async () => {
  const { http, client } = await bothStages()
  const host = 'version.shop.example'
  const path = '/v'
  expect(await check(client, { host, path })).toMatchObject({ status: 200 })
  expect(await ask(http.port, { path, headers: ['Host', host] })).toMatchObject({ status: 403 })
})

describe('over gRPC', () => {
  test('a refusal has the challenge, the problem and codes that gRPC knows', async () => {
    const both = await bothStages()
    const refused = await agreed(both, { path: '/orders', headers: json })
    expect(refused.headers).toContainEqual(['www-authenticate', 'Bearer realm="shop.example"'])
    expect(refused.headers).toContainEqual(['content-type', 'application/json; charset=utf-8'])
    expect(JSON.parse(refused.body)).toMatchObject({ error_code: 1020, status: 401 })
    expect(refused.code).toBe(16)
    expect(await agreed(both, { path: '//health' })).toMatchObject({ code: 7 })
  })

  test('claims take the place of what a client invented, and tokens go', async () => {
    const { client } = await bothStages()
    const cookie = `a=b; session=${tokenOf('eve')}`
    const headers = [...bearer, 'x-user', 'root', 'x_user', 'root', 'cookie', cookie]
    expect(await check(client, { path: '/orders', headers })).toEqual({
      code: 0,
      status: 200,
      headers: [
        ['x-user', 'ada'],
        ['cookie', 'a=b'],
      ],
      removed: ['authorization', 'x_user'],
      body: '',
    })
  })

  test('two tokens that Envoy merged into one line are no valid one', async () => {
    const { client } = await bothStages()
    const asked = { path: '/orders', headers: [...bearer, 'authorization', 'Bearer second'] }
    expect(await check(client, asked)).toMatchObject({ status: 401 })
    expect(await check(client, { ...asked, raw: true })).toMatchObject({ status: 200 })
  })

  test('the client is whom Envoy was asked by, whatever X-Forwarded-For says', async () => {
    const { client } = await bothStages()
    const forged = ['x-two', 'second', 'x-forwarded-for', '192.0.2.1']
    const from = (source: string) => check(client, { ...wire, source, headers: forged })
    expect(await from('198.51.100.1')).toMatchObject({ status: 403 })
    // A proxy of this machine stands between, and is trusted to tell.
    expect(await from('127.0.0.1')).toMatchObject({ status: 200 })
    expect(await from('/run/envoy.sock')).toMatchObject({ status: 200 })
  })
})
