import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeKey, makeToken, type SigningKey } from '../../edge/token/keys.js'
import { judgedFetch } from '../../management/contract.js'
import { startIssuer, type Issuer } from '../../management/key-sets/issuer.js'
import { startServing, stopServing, through, type Serving } from './serving.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-remote-keys-'))
const ADMIN = 'an-administrator-of-the-tests'
const HOST = 'api.example.com'
const one = makeKey('ES256', 'one')
const two = makeKey('ES256', 'two')
const upstream = createServer((_, response) => response.end('from upstream'))

let issuer: Issuer
let serving: Serving
let judging: typeof fetch
let config = ''

async function api(method: string, path: string, body?: unknown) {
  const response = await judging(`${serving.origin}/client/v4${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const { result } = (await response.json()) as { result: Record<string, unknown> }
  return { status: response.status, result }
}

const statusFor = async (key: SigningKey, header = {}) => {
  const authorization = `Bearer ${makeToken(key, { header })}`
  return (await through(serving, HOST, '/orders', { authorization })).status
}

beforeAll(async () => {
  issuer = await startIssuer()
  issuer.publish([one.jwk])
  await new Promise<void>((done) => void upstream.listen(0, '127.0.0.1', () => done()))
  const { port } = upstream.address() as AddressInfo
  serving = await startServing(folder, ['--allow-private-key-sets'], {
    PORTCULLIS_API_TOKEN: ADMIN,
  })
  judging = judgedFetch(serving.origin)
  await api('POST', '/accounts', { id: 'a', name: 'Tests' })
  const zone = { id: 'z', name: 'example.com', account: { id: 'a' } }
  await api('POST', '/zones', { ...zone, upstream: `http://127.0.0.1:${port}` })
  const operation = { method: 'GET', host: HOST, endpoint: '/orders' }
  await api('POST', '/zones/z/api_gateway/operations/item', operation)
  const made = await api('POST', '/zones/z/token_validation/config', {
    title: 'remote',
    description: '',
    token_type: 'JWT',
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: { jwks_uri: issuer.uri },
  })
  config = `/zones/z/token_validation/config/${String(made.result['id'])}`
  const expression = `is_jwt_valid("${String(made.result['id'])}")`
  await api('POST', '/zones/z/token_validation/rules', { action: 'block', expression })
}, 30_000)
afterAll(async () => {
  await stopServing(serving)
  issuer.close()
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the keys of an issuer are in force once they are saved', async () => {
  expect(await statusFor(one)).toBe(200)
  expect(issuer.asked).toHaveLength(1)
})

test('a new key is accepted soon after its first token, beside the old one', async () => {
  issuer.publish([one.jwk, two.jwk])
  expect(await statusFor(two)).toBe(401)
  await expect.poll(() => statusFor(two), { interval: 10, timeout: 2000 }).toBe(200)
  expect(await statusFor(one)).toBe(200)
  expect(issuer.asked).toHaveLength(2)
})

test('an issuer that publishes nothing ends no key', async () => {
  issuer.publish([])
  const { result } = await api('POST', `${config}/key_set/refresh`)
  expect(result).toMatchObject({ state: 'failing', last_error: { code: 'no_usable_keys' } })
  expect(await statusFor(two)).toBe(200)
})

test('a removed key ends with its cached verdicts', async () => {
  issuer.publish([two.jwk])
  expect((await api('POST', `${config}/key_set/refresh`)).status).toBe(200)
  await expect.poll(() => statusFor(one), { interval: 5, timeout: 1000 }).toBe(401)
  expect(await statusFor(two)).toBe(200)
})

test('a flood of made-up keys costs the issuer no more than the budget', async () => {
  const before = issuer.asked.length
  const kids = Array.from({ length: 300 }, (_, at) => `made-up-${at}`)
  for (const kid of kids) expect(await statusFor(one, { kid })).toBe(401)
  expect(await statusFor(two)).toBe(200)
  expect(issuer.asked.length - before).toBeLessThanOrEqual(1)
})

test('an issuer that is gone ends no key', async () => {
  issuer.close()
  expect((await api('GET', `${config}/key_set`)).result).toMatchObject({ state: 'fresh' })
  expect(await statusFor(two)).toBe(200)
})

test('fetches are counted, without addresses', async () => {
  const text = await (await fetch(`${serving.origin}/metrics`)).text()
  expect(text).toContain('portcullis_key_set_fetches_total{zone="z",outcome="changed"} 3')
  expect(text).toContain('portcullis_key_set_fetches_total{zone="z",outcome="no_usable_keys"}')
  expect(text).not.toContain(issuer.uri)
})
