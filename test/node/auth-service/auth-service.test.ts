import { describe, expect, test } from 'vitest'
import { createGate } from '../../../src/edge/index.js'
import { createAuthService, type DialectName } from '../../../src/node/auth-service/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { ask, stage, tokenOf, ZONE, type Answer } from './stage.js'

interface Asked {
  readonly method?: string
  readonly path: string
  readonly host?: string
  readonly headers?: readonly string[]
}

/** How each proxy asks about a request. */
const QUESTIONS: Readonly<
  Record<DialectName, (asked: Required<Asked>) => Parameters<typeof ask>[1]>
> = {
  'auth-request': ({ method, path, host, headers }) => ({
    path: '/gate',
    headers: [
      ...headers,
      'X-Original-Method',
      method,
      'X-Original-URI',
      path,
      'X-Forwarded-Host',
      host,
    ],
  }),
  'forward-auth': ({ method, path, host, headers }) => ({
    path: '/?from=caddy',
    headers: [
      ...headers,
      'X-Forwarded-Method',
      method,
      'X-Forwarded-Uri',
      path,
      'X-Forwarded-Host',
      host,
    ],
  }),
  'ext-authz': ({ method, path, host, headers }) => ({
    method,
    path,
    headers: [...headers, 'Host', host],
  }),
}

async function asked(dialect: DialectName, request: Asked): Promise<Answer> {
  const { port } = await stage({ dialect })
  const { method = 'GET', host = 'shop.example', headers = [], path } = request
  return ask(port, QUESTIONS[dialect]({ method, path, host, headers }))
}

const bearer = (sub: string) => ['Authorization', `Bearer ${tokenOf(sub)}`]
const json = ['Accept', 'application/json']

describe.each(Object.keys(QUESTIONS) as DialectName[])('an auth service in mode %s', (dialect) => {
  test('lets a request with a valid token pass and hands on its claims', async () => {
    const answer = await asked(dialect, { path: '/orders?page=2', headers: bearer('ada') })
    expect(answer).toMatchObject({ status: 200, body: '' })
    expect(answer.headers['x-user']).toBe('ada')
  })

  test('refuses one without a token, in the form the client asks for', async () => {
    const { status, headers, body } = await asked(dialect, { path: '/orders', headers: json })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer realm="shop.example"')
    expect(JSON.parse(body)).toMatchObject({ error_code: 1020, status: 401, zone: 'shop.example' })
  })

  test('judges the method of the client, not of the question', async () => {
    expect(await asked(dialect, { method: 'POST', path: '/orders' })).toMatchObject({ status: 401 })
    expect(await asked(dialect, { method: 'PUT', path: '/orders' })).toMatchObject({ status: 200 })
  })

  test.each([
    ['a dot segment', '/x/../orders'],
    ['an encoded dot segment', '/x/%2e%2e/health'],
    ['an empty segment', '//health'],
    ['a fragment', '/health#/orders'],
    ['no path at all', 'health'],
  ])('refuses %s, since upstream would get the path as it is', async (_, path) => {
    const status = dialect === 'auth-request' ? 403 : 400
    if (dialect === 'ext-authz' && !path.startsWith('/')) return
    expect(await asked(dialect, { path, headers: bearer('ada') })).toMatchObject({ status })
  })

  test('lets other spellings of the same path pass', async () => {
    const headers = bearer('ada')
    expect(await asked(dialect, { path: '/%6frders?a=%2e%2E', headers })).toMatchObject({
      status: 200,
    })
  })

  test('removes a claim header that the client invented', async () => {
    const { status, headers } = await asked(dialect, {
      path: '/health',
      headers: ['X-User', 'root'],
    })
    expect(status).toBe(200)
    if (dialect === 'ext-authz') {
      expect(headers['x-user']).toBeUndefined()
      expect(headers['x-envoy-auth-headers-to-remove']).toBe('x-user')
    } else {
      expect(headers['x-user']).toBe('')
    }
  })

  test.each([
    ['alone', []],
    ['beside it', ['X-User', 'root']],
    ['beside a token', bearer('ada')],
  ])('lets no twin of a claim header pass, %s', async (_, beside) => {
    for (const twin of ['x_user', 'X_User', 'x.user', 'X~User']) {
      const headers = [...beside, twin, 'root']
      const answer = await asked(dialect, { path: '/orders', method: 'PUT', headers })
      if (dialect === 'ext-authz') {
        const removed = String(answer.headers['x-envoy-auth-headers-to-remove']).split(',')
        expect([answer.status, removed]).toEqual([
          200,
          expect.arrayContaining([twin.toLowerCase()]),
        ])
      } else {
        expect(answer.status).toBe(dialect === 'auth-request' ? 403 : 400)
      }
    }
  })

  test('takes no header for a twin whose name has other letters', async () => {
    const headers = ['X-Users', 'root', 'XUser', 'root', 'X_Use', 'root']
    expect(await asked(dialect, { path: '/health', headers })).toMatchObject({ status: 200 })
  })

  test.each([
    ['without a token', []],
    ['with a token that is none', ['Authorization', 'Bearer x']],
  ])(
    'says of a request %s that it has no claim header, even when it sent none',
    async (_, headers) => {
      const passed = await asked(dialect, { path: '/health', headers })
      expect(passed.status).toBe(200)
      if (dialect === 'ext-authz') {
        expect(passed.headers['x-envoy-auth-headers-to-remove']).toBe('x-user')
      } else {
        expect(passed.headers['x-user']).toBe('')
      }
    },
  )

  test.each([
    'http.host eq "shop.example"',
    'http.request.headers["host"][0] eq "shop.example"',
    'not any(http.request.headers["host"][*] eq "portcullis")',
  ])('lets rules see the client’s Host alone: %s', async (expression) => {
    const rules = [{ action: 'block' as const, expression, selector: {} }]
    const gate = createGate({ ...ZONE, rules }, { crypto: nodeCrypto() })
    const { port } = await stage({ dialect, gate })
    const known = { method: 'GET', path: '/health', host: 'shop.example' }
    const headers = dialect === 'ext-authz' ? [] : ['Host', 'portcullis']
    const answer = await ask(port, QUESTIONS[dialect]({ ...known, headers }))
    expect(answer).toMatchObject({ status: 200 })
  })

  test('believes no header of another dialect', async () => {
    const lies = [
      'X-Original-URL',
      '/health',
      'X-Rewrite-URL',
      '/health',
      'Forwarded',
      'host=else.example',
      ...(dialect === 'auth-request' ? [] : ['X-Original-URI', '/health']),
      ...(dialect === 'auth-request' ? [] : ['X-Original-Method', 'PUT']),
      ...(dialect === 'forward-auth' ? [] : ['X-Forwarded-Uri', '/health']),
      ...(dialect === 'forward-auth' ? [] : ['X-Forwarded-Method', 'PUT']),
      ...(dialect === 'ext-authz' ? ['X-Forwarded-Host', 'else.example'] : []),
    ]
    expect(await asked(dialect, { path: '/orders', headers: lies })).toMatchObject({ status: 401 })
  })

  test('answers nobody but the peers it trusts', async () => {
    const { port, faults, decisions } = await stage({ dialect, trustForwarded: ['192.0.2.1'] })
    const question = { method: 'GET', path: '/health', host: 'shop.example', headers: [] }
    expect(await ask(port, QUESTIONS[dialect](question))).toMatchObject({ status: 403 })
    expect(faults).toEqual(['untrusted_peer'])
    expect(decisions).toEqual([])
  })

  test('refuses hosts of no zone', async () => {
    const status = dialect === 'auth-request' ? 403 : 530
    expect(await asked(dialect, { path: '/health', host: 'else.example' })).toMatchObject({
      status,
    })
  })

  test('shows the pages of errors', async () => {
    const page = await asked(dialect, { path: '/cdn-cgi/error/1015', headers: json })
    expect(page.status).toBe(dialect === 'auth-request' ? 403 : 429)
    expect(JSON.parse(page.body)).toMatchObject({ error_code: 1015 })
  })

  test('sends every answer to HEAD as long as it says, the pages of errors among them', async () => {
    for (const path of ['/cdn-cgi/error/1015', '/cdn-cgi/error/9', '//']) {
      const page = await asked(dialect, { method: 'HEAD', path, headers: json })
      expect(page.status).toBeGreaterThanOrEqual(400)
      const length = dialect === 'ext-authz' ? 0 : Number(page.headers['content-length'])
      expect(page.body).toHaveLength(length)
    }
  })
})

describe('a question', () => {
  const whole = {
    'X-Original-Method': 'GET',
    'X-Original-URI': '/health',
    'X-Forwarded-Host': 'shop.example',
  }
  const names = Object.keys(whole)

  test.each(names)('without %s is answered 403 and told to the operator', async (missing) => {
    const { port, faults } = await stage({ dialect: 'auth-request' })
    const headers = Object.entries(whole).flatMap((line) => (line[0] === missing ? [] : line))
    expect(await ask(port, { headers })).toMatchObject({ status: 403 })
    expect(faults).toEqual(['missing_header'])
  })

  test.each(names)('with %s twice, one perhaps a stranger’s, is answered 403', async (name) => {
    const { port, faults } = await stage({ dialect: 'auth-request' })
    const headers = [...Object.entries(whole).flat(), name.toLowerCase(), '/health']
    expect(await ask(port, { headers })).toMatchObject({ status: 403 })
    expect(faults).toEqual(['repeated_header'])
  })

  test('for the page of a refusal gets it with its true status, and never an empty 200', async () => {
    const { port } = await stage({ dialect: 'auth-request' })
    const headers = [...Object.entries(whole).flat(), 'X-Portcullis-Answer', 'page']
    expect(await ask(port, { headers })).toMatchObject({ status: 403 })
    const bad = headers.map((each) => (each === '/health' ? '//health' : each))
    expect(await ask(port, { headers: bad })).toMatchObject({ status: 400 })
  })
})

test('an unknown dialect is an error that names the known ones', () => {
  const gate = { decide: () => Promise.reject(new Error('never asked')) }
  expect(() => createAuthService({ gate, dialect: 'envoy' as DialectName })).toThrow(
    'expected one of auth-request, forward-auth, ext-authz',
  )
})

test('a gate that fails is no permission', async () => {
  const gate = { decide: () => Promise.reject(new Error('broken')) }
  const { port } = await stage({ dialect: 'ext-authz', gate })
  expect(await ask(port, { path: '/health' })).toMatchObject({ status: 500 })
})
