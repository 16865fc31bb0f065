import { describe, expect, test } from 'vitest'
import { Hono } from 'hono'
import { createGate, type Decision, type Zone } from '../../../src/edge/index.js'
import { guardFetch, honoGate, type EmbedOptions } from '../../../src/edge/embed/index.js'
import { compileEdgeErrors } from '../../../src/edge/edge-errors/index.js'
import { bearer, FORGED, gateOf, judging, NOW, VALID, zone } from '../gate/zone-fixture.js'
import { expectRefusal, FORMS, type Answer } from './answers.js'

const URL = 'https://api.example.com/users/42'

/** What a handler saw of a request. */
interface Seen {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
type Ask = (request: Request) => Promise<Response>
type Embed = (gate: ReturnType<typeof gateOf>, options?: EmbedOptions<Request>) => Ask

async function echo(request: Request): Promise<Response> {
  const { url, method, headers } = request
  const seen: Seen = {
    url,
    method,
    headers: Object.fromEntries(headers),
    body: await request.text(),
  }
  return Response.json(seen)
}

const EMBEDS: readonly (readonly [name: string, embed: Embed])[] = [
  ['guardFetch', (gate, options) => async (request) => guardFetch(gate, echo, options)(request)],
  [
    'honoGate',
    (gate, options) => {
      const app = new Hono()
      app.use(honoGate(gate, options))
      app.all('*', (c) => echo(c.req.raw))
      return async (request) => app.fetch(request)
    },
  ],
]

const SETTINGS = {
  claim_headers: [{ header: 'X-User', configuration_id: 'A', claim: 'sub' }],
  strip_tokens: true,
} as const

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response
  return { status, body: await response.text(), header: (name) => headers.get(name) }
}

describe.each(EMBEDS)('%s', (_name, embed) => {
  const ask = (
    policy: Zone,
    url: string,
    init: RequestInit = {},
    options: EmbedOptions<Request> = {},
  ) => embed(gateOf(policy), options)(new Request(url, init))
  const seen = async (...asked: Parameters<typeof ask>) =>
    (await (await ask(...asked)).json()) as Seen
  const authorized = { headers: [bearer(VALID)] as [string, string][] }

  test('hands a request with a valid token on, as it is', async () => {
    expect(await seen(zone(), `${URL}?a=b`, authorized)).toEqual({
      url: `${URL}?a=b`,
      method: 'GET',
      headers: { authorization: `Bearer ${VALID}` },
      body: '',
    })
  })

  test('hands the body on, of an edited request too', async () => {
    const policy = zone({ settings: SETTINGS })
    const init = { method: 'POST', body: 'the body', headers: { 'x-user': 'root' } }
    for (const url of [URL, 'https://api.example.com//users/%34%32?a=b'])
      expect(await seen(policy, url, init)).toMatchObject({
        url: url.replace('//users/%34%32', '/users/42'),
        method: 'POST',
        body: 'the body',
      })
  })

  test.each(FORMS)('refuses with Accept: %s in %s', async (accept, type, start) => {
    const response = await ask(zone(), URL, { headers: accept === undefined ? {} : { accept } })
    expectRefusal(await answerOf(response), type, start)
  })

  test("answers as the zone's own error rules and pages say", async () => {
    const action_parameters = { content: '{}', content_type: 'application/json' }
    const expression = 'http.response.code eq 401 and cf.response.1xxx_code eq 1020'
    const errors = compileEdgeErrors({
      rules: [{ id: 'a', expression, action_parameters }],
      pages: { '1xxx': '<p>::ERROR_CODE::</p>' },
    })
    const byRule = await answerOf(await ask(zone(), URL, {}, { errors }))
    expect(byRule).toMatchObject({ status: 401, body: '{}' })
    expect(byRule.header('www-authenticate')).toBe('Bearer realm="example.com"')
    const elsewhere = await ask(zone(), 'https://api.example.org/', {}, { errors })
    expect(await answerOf(elsewhere)).toMatchObject({ status: 530, body: '<p>1018</p>' })
  })

  test('tells a forged token so', async () => {
    const response = await ask(zone(), URL, { headers: [bearer(FORGED)] as [string, string][] })
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer realm="example.com", error="invalid_token"',
    )
  })

  test('refuses HEAD without a body', async () => {
    const policy = zone({ settings: { unlisted_operations: 'cover' } })
    const response = await ask(policy, URL, { method: 'HEAD' })
    expect(response.status).toBe(401)
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0)
    expect(await response.text()).toBe('')
  })

  test('refuses a host that is in no zone', async () => {
    const response = await ask(zone(), 'https://example.org/', {
      headers: { accept: 'application/json' },
    })
    expect(response.status).toBe(530)
    expect(await response.json()).toMatchObject({ error_code: 1018, zone: 'example.org' })
  })

  test('lets pass what a log rule would have blocked', async () => {
    const policy = zone({ rules: [{ action: 'log', expression: 'is_jwt_valid("A")' }] })
    expect((await ask(policy, URL)).status).toBe(200)
  })

  test('puts claims into headers, removes the client\u2019s own and strips tokens', async () => {
    const headers = [bearer(VALID), ['x-user', 'root'], ['X_User', 'root'], ['accept', 'a/b']]
    const { headers: received } = await seen(zone({ settings: SETTINGS }), URL, {
      headers: headers as [string, string][],
    })
    expect(received).toEqual({ 'x-user': 'alice', accept: 'a/b' })
  })

  test('removes a client\u2019s claim header from a request that no rule decides', async () => {
    const { headers } = await seen(zone({ settings: SETTINGS }), 'https://www.example.com/', {
      headers: { 'x-user': 'root', cookie: 'a=b' },
    })
    expect(headers).toEqual({ cookie: 'a=b' })
  })

  test('strips a token out of the cookies', async () => {
    const policy = judging('is_jwt_valid("A")', {
      settings: SETTINGS,
      token_configurations: [
        { ...zone().token_configurations![0]!, token_sources: ['http.request.cookies["s"][0]'] },
      ],
    })
    const of = (cookie: string) => seen(policy, URL, { headers: { cookie } })
    expect((await of(`a=b; s=${VALID}; c=d`)).headers).toEqual({
      'x-user': 'alice',
      cookie: 'a=b; c=d',
    })
    expect((await of(`s=${VALID}`)).headers).toEqual({ 'x-user': 'alice' })
  })

  test('hands on the URL that was judged', async () => {
    const { url } = await seen(zone(), 'https://api.example.com//users//%34%32?a=%20', authorized)
    expect(url).toBe('https://api.example.com/users/42?a=%20')
  })

  test('never lets a path become a host', async () => {
    const policy = zone({ settings: { merge_slashes: false } })
    const { url } = await seen(policy, 'https://api.example.com//evil.example/%41')
    expect(url).toBe('https://api.example.com//evil.example/A')
  })

  test('answers the page of an error, for any host and without a decision', async () => {
    const decided: Decision[] = []
    const options = {
      onDecision: (decision: Decision) => void decided.push(decision),
      now: () => NOW,
    }
    const page = 'https://anything.example/cdn-cgi/error/1015'
    const response = await ask(zone(), page, { headers: { accept: 'application/json' } }, options)
    expect(response.status).toBe(429)
    expect(await response.json()).toMatchObject({
      error_code: 1015,
      zone: 'anything.example',
      timestamp: '2023-11-14T22:13:20Z',
    })
    expect(decided).toEqual([])
  })

  test('tells of every decision', async () => {
    const told: [string, string][] = []
    const options: EmbedOptions<Request> = {
      onDecision: ({ action, reason }, { url }) => void told.push([`${action} ${reason}`, url]),
    }
    await ask(zone(), URL, {}, options)
    await ask(zone(), URL, authorized, options)
    await ask(zone(), 'https://api.example.com/x', {}, options)
    expect(told).toEqual([
      ['block no_valid_token', URL],
      ['pass satisfied', URL],
      ['pass unlisted', 'https://api.example.com/x'],
    ])
  })

  test('takes the address of the client from whoever knows it', async () => {
    const policy = judging('ip.src eq 192.0.2.7')
    const options = { ip: (request: Request) => request.headers.get('x-real-ip') ?? undefined }
    const from = (ip: string) => ask(policy, URL, { headers: { 'x-real-ip': ip } }, options)
    expect((await from('192.0.2.7')).status).toBe(200)
    expect((await from('192.0.2.8')).status).toBe(403)
    expect((await ask(policy, URL)).status).toBe(403)
  })

  test('names the vendor and the footer that it is told', async () => {
    const accept = { headers: { accept: 'application/json' } }
    const options = { problem: { footer: 'Made by the gate.', typeBase: '/errors/' } }
    const response = await ask(zone(), URL, accept, options)
    expect(await response.json()).toMatchObject({
      footer: 'Made by the gate.',
      type: '/errors/1020',
    })
  })

  test('works with WebCrypto', async () => {
    const gate = createGate(zone(), { now: () => NOW }) as ReturnType<typeof gateOf>
    expect((await embed(gate)(new Request(URL, authorized))).status).toBe(200)
    expect((await embed(gate)(new Request(URL))).status).toBe(401)
  })
})

test('guardFetch hands on whatever comes after the request', async () => {
  const handler = guardFetch(gateOf(zone()), (_request, env: { name: string }, context: number) =>
    Response.json([env.name, context]),
  )
  const response = await handler(new Request('https://www.example.com/'), { name: 'env' }, 7)
  expect(await response.json()).toEqual(['env', 7])
})

test('handlers of Hono find the decision', async () => {
  const app = new Hono<{ Variables: { decision: Decision } }>()
  app.use(honoGate(gateOf(zone())))
  app.get('*', (c) => c.json(c.get('decision')))
  const headers = { authorization: `Bearer ${VALID}` }
  const response = await app.request(URL, { headers })
  expect(await response.json()).toMatchObject({ action: 'pass', operation: 'op', rule: 'rule' })
})
