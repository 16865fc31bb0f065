import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { keyFor, makeKey } from '../edge/token/keys.js'
import { createZoneStage, ZONE, type Stage } from './stage.js'

const CONFIG = `/zones/${ZONE}/token_validation/config`
const RULES = `/zones/${ZONE}/token_validation/rules`
const OPERATIONS = `/zones/${ZONE}/api_gateway/operations`

let stage: Stage
beforeAll(async () => {
  stage = await createZoneStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  for (const table of ['token_configurations', 'token_keys', 'rules', 'operations'] as const)
    await stage.db.deleteFrom(table).execute()
})

const config = (changes: object = {}) => ({
  title: '',
  description: '',
  token_sources: ['http.request.headers["authorization"][0]'],
  token_type: 'JWT',
  credentials: { keys: [keyFor('ES256').jwk] },
  ...changes,
})
const rule = (changes: object = {}) => ({ action: 'log', expression: 'ssl', ...changes })
const operation = (changes: object = {}) => ({
  method: 'GET',
  host: 'example.com',
  endpoint: '/a',
  ...changes,
})
const many = <Item>(count: number, item: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => item(at))
const es = keyFor('ES256').jwk
const keys = (count: number) => ({ keys: many(count, (at) => ({ ...es, kid: `${at}` })) })
const source = (at: number) => `http.request.headers["h${at}"][0]`
const label = (length: number) => 'x'.repeat(length)
/** A host of so many characters below the zone. */
const host = (length: number) =>
  `${label(63)}.${label(63)}.${label(63)}.${label(length - 192 - 12)}.example.com`
const secret = (alg: string, bytes: number) => ({
  keys: [
    { kty: 'oct', alg, kid: 'k', k: Buffer.from(many(bytes, (at) => at)).toString('base64url') },
  ],
})

test.each<[string, number, string, (n: number) => unknown, string]>([
  ['characters of a configuration title', 50, CONFIG, (n) => config({ title: label(n) }), '/title'],
  [
    'characters of a configuration description',
    500,
    CONFIG,
    (n) => config({ description: label(n) }),
    '/description',
  ],
  ['token sources', 4, CONFIG, (n) => config({ token_sources: many(n, source) }), '/token_sources'],
  [
    'characters of a token source',
    4096,
    CONFIG,
    (n) => config({ token_sources: [`http.request.cookies["${label(n - 27)}"][0]`] }),
    '/token_sources/0',
  ],
  ['keys', 16, CONFIG, (n) => config({ credentials: keys(n) }), '/credentials/keys'],
  [
    'characters of a kid',
    256,
    CONFIG,
    (n) => config({ credentials: { keys: [{ ...es, kid: label(n) }] } }),
    '/credentials/keys/0/kid',
  ],
  ['characters of a rule title', 50, RULES, (n) => rule({ title: label(n) }), '/title'],
  [
    'characters of a rule description',
    500,
    RULES,
    (n) => rule({ description: label(n) }),
    '/description',
  ],
  [
    'characters of an expression',
    4096,
    RULES,
    (n) => rule({ expression: `ssl${' '.repeat(n - 3)}` }),
    '/expression',
  ],
  [
    'characters of a host in a selector',
    253,
    RULES,
    (n) => rule({ selector: { include: [{ host: host(n) }] } }),
    '/selector/include/0/host',
  ],
  [
    'characters of an operation id in a selector',
    64,
    RULES,
    (n) => rule({ selector: { exclude: [{ operation_ids: [label(n)] }] } }),
    '/selector/exclude/0/operation_ids/0',
  ],
  [
    'characters of an endpoint',
    4096,
    `${OPERATIONS}/item`,
    (n) => operation({ endpoint: `/${label(n - 1)}` }),
    '/endpoint',
  ],
  ['characters of a host', 253, `${OPERATIONS}/item`, (n) => operation({ host: host(n) }), '/host'],
])('%s: %i pass, one more is refused', async (_, max, path, body, pointer) => {
  const fits = await stage.call('POST', path, body(max))
  expect([fits.status, fits.json.errors]).toEqual([200, []])
  const { status, json } = await stage.call('POST', path, body(max + 1))
  expect(status).toBe(400)
  expect(json.errors[0]?.source?.pointer?.startsWith(pointer)).toBe(true)
})

test.each([
  ['HS256', 32],
  ['HS384', 48],
  ['HS512', 64],
])('a secret for %s has at least %i bytes', async (alg, bytes) => {
  const create = (length: number) =>
    stage.call('POST', CONFIG, config({ credentials: secret(alg, length) }))
  expect((await create(bytes)).status).toBe(200)
  const { status, json } = await create(bytes - 1)
  expect(status).toBe(400)
  expect(json.errors).toMatchObject([
    { code: 110200, source: { pointer: '/credentials/keys/0/k' } },
  ])
})

test.each(['PUT', 'PATCH'])('%s credentials takes 16 keys and no 17th', async (method) => {
  const made = await stage.call('POST', CONFIG, config())
  const path = `${CONFIG}/${String(made.json.result['id'])}/credentials`
  expect((await stage.call(method, path, keys(16))).status).toBe(200)
  const { status, json } = await stage.call(method, path, keys(17))
  expect([status, json.errors[0]?.code]).toEqual([400, 110200])
  expect((await stage.call(method, path, { keys: [makeKey('ES384').jwk] })).status).toBe(200)
})

test.each([CONFIG, RULES, OPERATIONS])('%s lists 1 to 1,000 a page, from page 1', async (path) => {
  for (const [query, status] of [
    ['per_page=1', 200],
    ['per_page=1000', 200],
    ['per_page=0', 400],
    ['per_page=1001', 400],
    ['per_page=1.5', 400],
    ['page=1', 200],
    ['page=0', 400],
    ['page=2147483648', 200],
    ['page=2147483649', 400],
  ] as const) {
    const answer = await stage.call('GET', `${path}?${query}`)
    expect([query, answer.status]).toEqual([query, status])
    if (status === 400)
      expect(answer.json.errors).toMatchObject([
        { code: 10422, source: { pointer: `/${query.split('=')[0]}` } },
      ])
  }
})

test.each(['POST', 'PATCH'])('%s of rules in bulk takes 1,000 and not one more', async (method) => {
  const rules = (count: number) => many(count, () => rule())
  const made = await stage.call('POST', `${RULES}/bulk`, rules(1000))
  expect(made.status).toBe(200)
  const id = made.json.list[0]?.['id']
  const changes = (count: number) => many(count, () => ({ id, title: 'x' }))
  const body = method === 'POST' ? rules : changes
  if (method === 'PATCH')
    expect((await stage.call(method, `${RULES}/bulk`, body(1000))).status).toBe(200)
  expect((await stage.call(method, `${RULES}/bulk`, body(1001))).status).toBe(400)
})

const rsa = (bits: number) => {
  const bytes = Buffer.alloc(Math.ceil(bits / 8), 0xa5)
  bytes[0] = 1 << ((bits - 1) % 8)
  return { kty: 'RSA', alg: 'RS256', kid: 'k', e: 'AQAB', n: bytes.toString('base64url') }
}

test.each([
  [2047, 400],
  [2048, 200],
  [8192, 200],
  [8193, 400],
])('an RSA key of %i bits is answered %i', async (bits, status) => {
  const made = await stage.call('POST', CONFIG, config({ credentials: { keys: [rsa(bits)] } }))
  const pointers = made.json.errors.map(({ source: at }) => at?.pointer)
  expect([made.status, pointers]).toEqual([status, status === 200 ? [] : ['/credentials/keys/0/n']])
})
