import { sign } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Cloudflare from 'cloudflare'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeKey } from '../../edge/token/keys.js'
import { judgedFetch } from '../../management/contract.js'
import { runCli } from '../cli/run-cli.js'
import { clientOf, startServing, stopServing, through, type Serving } from './serving.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-serve-'))
const data = join(folder, 'data')
const HOST = 'api.shop.example'

/** Answers at once, except where a test holds the answer back. */
const held: ServerResponse[] = []
const upstream = createServer(({ url, headers }, response) => {
  if (url?.startsWith('/slow')) held.push(response.writeHead(200))
  else if (url === '/from') response.end(headers['x-forwarded-for'])
  else response.end(`upstream saw ${url}`)
})
beforeAll(() => new Promise<void>((done) => void upstream.listen(0, '127.0.0.1', () => done())))
afterAll(() => {
  upstream.close()
  upstream.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})
const upstreamUrl = () => `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`

const key = makeKey('ES256')
const hmac = makeKey('HS256')
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const input = `${part({ alg: key.alg, kid: key.kid })}.${part({ sub: 'a customer of the shop' })}`
const jwt = `${input}.${sign('sha256', Buffer.from(input), {
  key: key.privateKey,
  dsaEncoding: 'ieee-p1363',
}).toString('base64url')}`
const bearer = { authorization: `Bearer ${jwt}` }

const metricsOf = async ({ origin }: Serving) => (await fetch(`${origin}/metrics`)).text()

const countOf = (metrics: string, name: string): number =>
  Number(
    metrics
      .split('\n')
      .find((each) => each.startsWith(`${name} `))
      ?.split(' ')
      .at(-1),
  )

describe('portcullis serve', () => {
  let serving: Serving
  let client: Cloudflare
  let token = ''
  /** Until the gate answers a request without a token so. */
  const becomes = (status: number) =>
    expect
      .poll(async () => (await through(serving, HOST, '/orders/1')).status, { interval: 5 })
      .toBe(status)
  const ids = { zone: '', operation: '', configuration: '', rule: '' }

  test('with an empty data folder it prints the administrator token once, and keeps its files to itself', async () => {
    const first = await startServing(data)
    const { out, err, code } = await stopServing(first)
    expect(code).toBe(0)
    token =
      /^The administrator's API token, shown this once: (pcl_[\w-]{43})$/m.exec(out)?.[1] ?? ''
    expect(token).not.toBe('')
    expect(err).not.toContain(token)
    for (const file of readdirSync(data)) expect(statSync(join(data, file)).mode & 0o077).toBe(0)
    serving = await startServing(data)
    client = clientOf(serving, token)
    expect(await client.user.tokens.verify()).toMatchObject({ status: 'active' })
  })

  test('zone, operation, token configuration and rule, made through the published client, are in force at once', async () => {
    const account = await client.accounts.create({ name: 'Shop' })
    expect(await through(serving, HOST, '/orders/1')).toMatchObject({ status: 530 })
    const body = { name: 'shop.example', account: { id: account.id }, upstream: upstreamUrl() }
    const { id: zone_id } = await client.zones.create(body)
    await becomes(200)
    expect((await through(serving, HOST, '/orders/1')).body).toBe('upstream saw /orders/1')
    const operation = await client.apiGateway.operations.create({
      zone_id,
      method: 'GET',
      host: HOST,
      endpoint: '/orders/{id}',
    })
    const configuration = await client.tokenValidation.configuration.create({
      zone_id,
      title: 'Customers',
      description: '',
      token_type: 'JWT',
      token_sources: ['http.request.headers["authorization"][0]'],
      credentials: { keys: [key.jwk, hmac.jwk] as never },
    })
    const rule = await client.tokenValidation.rules.create({
      zone_id,
      title: 'Orders need a customer',
      description: '',
      action: 'block',
      enabled: true,
      expression: `is_jwt_valid("${configuration.id}")`,
      selector: { include: [{ host: [HOST] }] },
    })
    Object.assign(ids, {
      zone: zone_id,
      operation: operation.operation_id,
      configuration: configuration.id,
      rule: rule.id,
    })
    await becomes(401)
    expect(await through(serving, HOST, '/orders/1', bearer)).toMatchObject({ status: 200 })
  })

  test('a changed rule is in force at once', async () => {
    const edit = { zone_id: ids.zone, action: 'log' } as const
    await client.tokenValidation.rules.edit(ids.rule, edit)
    await becomes(200)
    await client.tokenValidation.rules.edit(ids.rule, { ...edit, action: 'block' })
    await becomes(401)
  })

  test('metrics tell of decisions, the cache, the policy and the API', async () => {
    const before = await metricsOf(serving)
    await through(serving, HOST, '/orders/2')
    for (const path of ['/orders/2', '/orders/3']) await through(serving, HOST, path, bearer)
    await client.zones.get({ zone_id: ids.zone })
    const text = await metricsOf(serving)
    const grownBy = (line: string) => countOf(text, line) - countOf(before, line)
    const labels = `zone="${ids.zone}",rule="${ids.rule}"`
    const decisions = `portcullis_decisions_total{${labels}`
    expect(grownBy(`${decisions},action="block",reason="no_valid_token"}`)).toBe(1)
    expect(grownBy(`${decisions},action="pass",reason="satisfied"}`)).toBe(2)
    expect(grownBy('portcullis_verdict_cache_hits_total{verdict="valid"}')).toBe(2)
    expect(grownBy('portcullis_verdict_cache_misses_total')).toBe(0)
    expect(grownBy('portcullis_api_requests_total{method="GET",status="200"}')).toBe(1)
    expect(countOf(text, 'portcullis_verdict_cache_misses_total')).toBe(1)
    expect(countOf(text, 'portcullis_api_requests_total{method="PATCH",status="200"}')).toBe(2)
    expect(countOf(text, `portcullis_policy_version{zone="${ids.zone}"}`)).toBe(6)
    expect(countOf(text, 'portcullis_in_step')).toBe(1)
    const [, age] = /^portcullis_policy_age_seconds\{.*\} (\S+)$/m.exec(text) ?? []
    expect(Number(age)).toBeGreaterThanOrEqual(0)
    expect(Number(age)).toBeLessThan(60)
    const shape =
      /^(# (HELP|TYPE) portcullis_\w+ .+|portcullis_\w+(\{(\w+="[^"\n]*",?)+\})? \d\S*)$/
    for (const each of text.trimEnd().split('\n')) expect(each).toMatch(shape)
  })

  test('it is alive and ready, and says so to GET and HEAD without a token', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect((await fetch(serving.origin + path)).status).toBe(200)
      expect((await fetch(serving.origin + path, { method: 'HEAD' })).status).toBe(200)
      expect((await fetch(serving.origin + path, { method: 'POST' })).status).toBe(405)
    }
    const zones = await judgedFetch(serving.origin)(`${serving.origin}/client/v4/zones`)
    expect(zones.status).toBe(401)
  })

  test('SIGKILL and another start keep everything, and print no token again', async () => {
    const title = 'The last that was acknowledged'
    await client.tokenValidation.rules.edit(ids.rule, { zone_id: ids.zone, title })
    await stopServing(serving, 'SIGKILL')
    serving = await startServing(data, ['--log-level', 'debug'])
    client = clientOf(serving, token)
    expect(await through(serving, HOST, '/orders/3')).toMatchObject({ status: 401 })
    expect(await through(serving, HOST, '/orders/3', bearer)).toMatchObject({ status: 200 })
    const rule = await client.tokenValidation.rules.get(ids.rule, { zone_id: ids.zone })
    expect(rule).toMatchObject({ title, action: 'block' })
  })

  test('SIGTERM lets an open request finish, takes no new one, and exits 0', async () => {
    const slow = through(serving, HOST, '/slow')
    await expect.poll(() => held.length).toBe(1)
    serving.child.kill('SIGTERM')
    await expect
      .poll(() => through(serving, HOST, '/orders/3').catch(() => 'refused'))
      .toBe('refused')
    held.pop()?.end('at last')
    expect(await slow).toEqual({ status: 200, body: 'at last' })
    expect((await serving.ended).code).toBe(0)
  })

  test('SIGTERM lets an open call of the API finish as well, and what it acknowledges is kept', async () => {
    serving = await startServing(data)
    client = clientOf(serving, token)
    const path = `/client/v4/zones/${ids.zone}/token_validation/rules/${ids.rule}`
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const call = request(serving.origin + path, { method: 'PATCH', headers })
    const answered = new Promise<number>((resolve) =>
      call.once('response', ({ statusCode = 0 }) => resolve(statusCode)),
    )
    call.write('{"title":')
    // The head has arrived when a later request is answered.
    await metricsOf(serving)
    serving.child.kill('SIGTERM')
    await expect.poll(() => metricsOf(serving).catch(() => 'refused')).toBe('refused')
    call.end('"kept"}')
    expect(await answered).toBe(200)
    expect((await serving.ended).code).toBe(0)
    serving = await startServing(data)
    const rule = await clientOf(serving, token).tokenValidation.rules.get(ids.rule, {
      zone_id: ids.zone,
    })
    expect(rule).toMatchObject({ title: 'kept' })
    await stopServing(serving)
  })

  test('no secret and no token is in logs, metrics or files', async () => {
    serving = await startServing(data, ['--log-level', 'debug'])
    client = clientOf(serving, token)
    await through(serving, HOST, `/orders/4?access_token=${jwt}`, bearer)
    await clientOf(serving, 'a-wrong-one-of-a-client')
      .zones.list()
      .catch(() => {})
    const { k } = hmac.jwk
    await client.tokenValidation.configuration.credentials.update(ids.configuration, {
      zone_id: ids.zone,
      keys: [key.jwk, hmac.jwk] as never,
    })
    const metrics = await metricsOf(serving)
    const { out, err } = await stopServing(serving)
    expect(out).not.toContain('pcl_')
    const logged = err.trimEnd().split('\n')
    const messages = logged.map((each) => (JSON.parse(each) as { msg: string }).msg)
    expect(messages).toEqual(
      expect.arrayContaining(['listening', 'policy in force', 'decision', 'api request']),
    )
    const files = readdirSync(data).map((file) => readFileSync(join(data, file), 'latin1'))
    const secrets = [token, String(k), 'a-wrong-one-of-a-client', ...jwt.split('.')]
    for (const secret of secrets)
      for (const text of [out, err, metrics, ...files]) expect(text.includes(secret)).toBe(false)
  })

  test('a token that is given is the first one, and none is printed', async () => {
    const given = 'one-that-the-operator-chose'
    const other = await startServing(join(folder, 'given'), [], { PORTCULLIS_API_TOKEN: given })
    expect(await clientOf(other, given).user.tokens.verify()).toMatchObject({ status: 'active' })
    const { out, err } = await stopServing(other)
    expect(out).not.toMatch(/pcl_|token/)
    expect(err).not.toContain(given)
  })

  test('who asked is believed of those who are trusted, and of nobody else', async () => {
    const said = { 'x-forwarded-for': '203.0.113.9' }
    const seen = async (...args: string[]) => {
      const behind = await startServing(data, args)
      const { body } = await through(behind, HOST, '/from', said)
      await stopServing(behind)
      return body
    }
    expect(await seen()).toBe('127.0.0.1')
    expect(await seen('--trust', '127.0.0.0/8')).toBe('203.0.113.9, 127.0.0.1')
    await expect(seen('--trust', 'everybody')).rejects.toThrow(/--trust: .*everybody/)
  })

  test('a token that no header can hold is refused', async () => {
    const env = { PORTCULLIS_API_TOKEN: 'two words' }
    const start = startServing(join(folder, 'words'), [], env)
    await expect(start).rejects.toThrow(/PORTCULLIS_API_TOKEN must be printable/)
  })

  test('a key that others may read ends it with exit 1', async () => {
    const open = join(folder, 'open')
    await stopServing(await startServing(open))
    chmodSync(join(open, 'secret.key'), 0o644)
    const run = await runCli(['serve', '--data', open])
    expect(run).toMatchObject({ code: 1, out: '' })
    expect(run.err).toMatch(/must have mode 0600/)
  })

  test('an address that is taken ends it with exit 1', async () => {
    const { port } = upstream.address() as AddressInfo
    for (const option of ['--listen', '--gate']) {
      const free = option === '--gate' ? '--listen' : '--gate'
      const args = [
        '--data',
        join(folder, 'taken'),
        option,
        `127.0.0.1:${port}`,
        free,
        '127.0.0.1:0',
      ]
      const run = await runCli(['serve', ...args])
      expect(run).toMatchObject({ code: 1 })
      expect(run.err).toMatch(/EADDRINUSE/)
      expect(run.err).toContain(`:${port} (${option})\n`)
      expect(run.err).not.toContain('store')
      expect(run.out).toBe('')
    }
  })
})
