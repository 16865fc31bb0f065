import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readPolicy } from '../../src/management/store/index.js'
import { keyFor, KEYS, makeKey } from '../edge/token/keys.js'
import { createZoneStage, ZONE, type Answer, type Item, type Stage } from './stage.js'

const PATH = `/zones/${ZONE}/token_validation/config`
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const NOW = '2026-01-31T12:00:00.000000Z'

let stage: Stage
beforeAll(async () => {
  stage = await createZoneStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  for (const table of ['token_configurations', 'token_keys'] as const)
    await stage.db.deleteFrom(table).execute()
})

const rs = keyFor('RS256').jwk
const es = keyFor('ES256').jwk
const hs = keyFor('HS256').jwk
const without = (jwk: Item, ...members: string[]): Item =>
  Object.fromEntries(Object.entries(jwk).filter(([name]) => !members.includes(name)))
const withoutK = (jwk: Item) => without(jwk, 'k')

const config = (changes: object = {}) => ({
  title: 'Customers',
  description: 'Tokens of the shop',
  token_sources: ['http.request.headers["authorization"][0]'],
  token_type: 'JWT',
  credentials: { keys: [es] },
  ...changes,
})
const create = (changes: object = {}): Promise<Answer> => stage.call('POST', PATH, config(changes))
const pointers = ({ json }: Answer) => json.errors.map(({ source }) => source?.pointer)

describe('POST config', () => {
  test('answers every member of the configuration', async () => {
    const { status, json } = await create({ credentials: { keys: [rs, es, hs] } })
    expect(status).toBe(200)
    expect(json).toEqual({
      errors: [],
      messages: [],
      success: true,
      result: {
        id: expect.stringMatching(UUID),
        created_at: NOW,
        credentials: { keys: [rs, es, withoutK(hs)] },
        description: 'Tokens of the shop',
        last_updated: NOW,
        title: 'Customers',
        token_sources: ['http.request.headers["authorization"][0]'],
        token_type: 'JWT',
      },
    })
  })

  test.each([...KEYS.values()].map(({ alg, jwk }) => [alg, jwk] as const))(
    'takes a key for %s',
    async (_, jwk) => {
      const { status, json } = await create({ credentials: { keys: [jwk] } })
      expect(status).toBe(200)
      expect(json.result['credentials']).toEqual({ keys: [withoutK(jwk)] })
    },
  )

  test.each(['jwt', 'JWT', 'Jwt'])('takes the type %s and answers JWT', async (token_type) => {
    const { json } = await create({ token_type })
    expect(json.result['token_type']).toBe('JWT')
  })

  test('takes members of a JWK that are not needed, and leaves them out', async () => {
    const key = { ...es, use: 'sig', ext: true, key_ops: ['verify'], x5t: 'x' }
    const { status, json } = await create({ credentials: { keys: [key] } })
    expect(status).toBe(200)
    expect(json.result['credentials']).toEqual({ keys: [es] })
  })

  test.each([
    ['title', 50],
    ['description', 500],
  ])('%s has at most %i characters, whatever their size', async (member, max) => {
    expect((await create({ [member]: '😀'.repeat(max) })).status).toBe(200)
    const refused = await create({ [member]: 'x'.repeat(max + 1) })
    expect([refused.status, pointers(refused)]).toEqual([400, [`/${member}`]])
  })

  test.each(['title', 'description', 'token_sources', 'token_type', 'credentials'])(
    '%s is required',
    async (member) => {
      const answer = await stage.call('POST', PATH, without(config() as Item, member))
      expect([answer.status, pointers(answer)]).toEqual([400, [`/${member}`]])
    },
  )

  test.each<[string, object, string]>([
    ['another type', { token_type: 'JWE' }, '/token_type'],
    ['a type that is no text', { token_type: 1 }, '/token_type'],
    ['no keys', { credentials: {} }, '/credentials/keys'],
    ['an empty key set', { credentials: { keys: [] } }, '/credentials/keys'],
    ['keys that are no list', { credentials: { keys: {} } }, '/credentials/keys'],
    [
      '17 keys',
      { credentials: { keys: Array.from({ length: 17 }, (_, at) => ({ ...es, kid: `${at}` })) } },
      '/credentials/keys',
    ],
    ['no source', { token_sources: [] }, '/token_sources'],
    [
      'five sources',
      {
        token_sources: ['a', 'b', 'c', 'd', 'e'].map(
          (name) => `http.request.headers["${name}"][0]`,
        ),
      },
      '/token_sources',
    ],
    [
      'a source of another kind',
      { token_sources: ['http.request.uri.args["t"][0]'] },
      '/token_sources/0',
    ],
    ['another index', { token_sources: ['http.request.headers["a"][1]'] }, '/token_sources/0'],
    [
      'a header name that is none',
      { token_sources: ['http.request.headers["a b"][0]'] },
      '/token_sources/0',
    ],
    ['an empty name', { token_sources: ['http.request.cookies[""][0]'] }, '/token_sources/0'],
    [
      'a source twice',
      { token_sources: ['http.request.headers["a"][0]', 'http.request.headers["A"][0]'] },
      '/token_sources/1',
    ],
  ])('refuses %s', async (_, changes, pointer) => {
    const answer = await create(changes)
    expect([answer.status, pointers(answer)]).toEqual([400, [pointer]])
  })

  test('a fault in a source is shown with line, column and caret', async () => {
    const { json } = await create({ token_sources: ['http.request.headers["a"][0] eq'] })
    expect(json.errors).toMatchObject([{ code: 110201, source: { pointer: '/token_sources/0' } }])
    expect(json.errors[0]?.message).toMatch(/^line 1, column \d+: .*\n.*\n +\^/)
  })

  test('a header name in upper case is taken with a message', async () => {
    const { status, json } = await create({ token_sources: ['http.request.headers["X-Token"][0]'] })
    expect(status).toBe(200)
    expect(json.result['token_sources']).toEqual(['http.request.headers["X-Token"][0]'])
    expect(json.messages).toMatchObject([{ code: 110301, source: { pointer: '/token_sources/0' } }])
  })

  test('a zone has at most 32', async () => {
    for (let at = 0; at < 32; at++) expect((await create()).status).toBe(200)
    const answer = await create()
    expect([answer.status, answer.json.errors[0]?.code]).toEqual([400, 110205])
  })
})

describe('the key table', () => {
  test.each<[string, Item, string]>([
    ['RSA without n', without(rs, 'n'), '/n'],
    ['RSA without e', without(rs, 'e'), '/e'],
    ['RSA without kid', without(rs, 'kid'), '/kid'],
    ['RSA without alg', without(rs, 'alg'), '/alg'],
    ['RSA without kty', without(rs, 'kty'), '/kty'],
    ['RSA with an alg of EC', { ...rs, alg: 'ES256' }, '/alg'],
    ['RSA with an unknown alg', { ...rs, alg: 'RS1' }, '/alg'],
    ['RSA with the alg none', { ...rs, alg: 'none' }, '/alg'],
    ['RSA with the alg constructor', { ...rs, alg: 'constructor' }, '/alg'],
    ['RSA of 1,024 bits', { ...rs, n: Buffer.alloc(128, 0xab).toString('base64url') }, '/n'],
    ['RSA with a private exponent', { ...rs, d: 'AQAB' }, '/d'],
    ['RSA with padding', { ...rs, e: 'AQAB==' }, '/e'],
    ['EC without x', without(es, 'x'), '/x'],
    ['EC without y', without(es, 'y'), '/y'],
    ['EC without alg', without(es, 'alg'), '/alg'],
    ['EC on the wrong curve', { ...es, crv: 'P-384' }, '/crv'],
    ['EC off the curve', { ...es, x: es['y'] }, '/x'],
    ['oct without k', withoutK(hs), '/k'],
    ['oct with k null', { ...hs, k: null }, '/k'],
    ['oct with a short k', { ...hs, k: 'c2hvcnQ' }, '/k'],
    ['oct without alg', without(hs, 'alg'), '/alg'],
    ['OKP', { kty: 'OKP', crv: 'Ed25519', x: 'AA', alg: 'EdDSA', kid: 'a' }, '/kty'],
    ['an encryption key', { ...es, use: 'enc' }, '/use'],
    ['an empty kid', { ...es, kid: '' }, '/kid'],
  ])('%s is refused at its place', async (_, key, place) => {
    const good = { ...es, kid: 'good' }
    const created = await create({ credentials: { keys: [good, key] } })
    expect([created.status, pointers(created)[0]]).toEqual([400, `/credentials/keys/1${place}`])
    const made = await create({ credentials: { keys: [makeKey('ES256', 'another').jwk] } })
    const path = `${PATH}/${made.json.result['id']}/credentials`
    for (const method of ['PUT', 'PATCH']) {
      const changed = await stage.call(method, path, { keys: [good, key] })
      expect([changed.status, pointers(changed)[0]]).toEqual([400, `/keys/1${place}`])
      expect(changed.text).not.toContain(String(hs['k']))
    }
  })

  test('the pair of alg and kid is unique within a request', async () => {
    const answer = await create({ credentials: { keys: [es, { ...es }] } })
    expect([answer.status, pointers(answer)]).toEqual([400, ['/credentials/keys/1/kid']])
    const sameKid = makeKey('HS256', String(es['kid'])).jwk
    expect((await create({ credentials: { keys: [es, sameKid] } })).status).toBe(200)
  })

  test('a secret of low variety is taken with a message', async () => {
    const weak = { ...hs, k: Buffer.alloc(32, 1).toString('base64url') }
    const { status, json } = await create({ credentials: { keys: [weak] } })
    expect(status).toBe(200)
    expect(json.messages).toMatchObject([
      { code: 110102, source: { pointer: '/credentials/keys/0/k' } },
    ])
  })
})

describe('GET config', () => {
  test('lists the oldest first, page by page, with all of result_info', async () => {
    for (const title of ['a', 'b', 'c']) await create({ title })
    const { json } = await stage.call('GET', `${PATH}?page=2&per_page=2`)
    expect(json.list).toMatchObject([{ title: 'c', credentials: { keys: [es] } }])
    expect(json.result_info).toEqual({
      count: 1,
      page: 2,
      per_page: 2,
      total_count: 3,
      total_pages: 2,
    })
    expect((await stage.call('GET', `${PATH}?page=3&per_page=2`)).json.result).toEqual([])
  })

  test('gives one by its id', async () => {
    const made = await create()
    const { json } = await stage.call('GET', `${PATH}/${made.json.result['id']}`)
    expect(json.result).toEqual(made.json.result)
  })

  test.each(['GET', 'PATCH', 'DELETE', 'PUT credentials', 'PATCH credentials'])(
    '%s of one that is not there is 404',
    async (what) => {
      const [method, rest] = what.split(' ')
      const path = `${PATH}/00000000-0000-4000-8000-000000000000${rest ? `/${rest}` : ''}`
      const body = rest ? { keys: [es] } : method === 'PATCH' ? {} : undefined
      expect((await stage.call(method!, path, body)).status).toBe(404)
    },
  )

  test('of another zone is 404', async () => {
    const made = await create()
    const zone = await stage.call('POST', '/zones', {
      name: 'x.example',
      account: { id: 'a'.repeat(32) },
    })
    const path = `/zones/${zone.json.result['id']}/token_validation/config`
    expect((await stage.call('GET', `${path}/${made.json.result['id']}`)).status).toBe(404)
    expect((await stage.call('GET', path)).json.result).toEqual([])
  })
})

describe('PATCH config', () => {
  test.each<[object, Item]>([
    [{ title: 'New' }, { title: 'New' }],
    [{ description: '' }, { description: '' }],
    [
      { token_sources: ['http.request.cookies["t"][0]'] },
      { token_sources: ['http.request.cookies["t"][0]'] },
    ],
    [{}, {}],
  ])('%j changes that and no more', async (body, changed) => {
    const made = await create()
    const { id, description, title, token_sources } = made.json.result
    stage.clock += 1000
    const { status, json } = await stage.call('PATCH', `${PATH}/${id}`, body)
    expect(status).toBe(200)
    expect(json.result).toEqual({ id, description, title, token_sources, ...changed })
    const after = (await stage.call('GET', `${PATH}/${id}`)).json.result
    expect(after).toEqual({ ...made.json.result, ...changed, last_updated: after['last_updated'] })
    expect(String(after['last_updated']) > String(made.json.result['last_updated'])).toBe(true)
  })

  test('keys and type are not for it, and it says so', async () => {
    const made = await create()
    const body = { credentials: { keys: [] }, token_type: 'JWT' }
    const { status, json } = await stage.call('PATCH', `${PATH}/${made.json.result['id']}`, body)
    expect(status).toBe(200)
    expect(json.messages.map(({ source }) => source?.pointer)).toEqual([
      '/credentials',
      '/token_type',
    ])
  })

  test.each<[object, string]>([
    [{ title: 'x'.repeat(51) }, '/title'],
    [{ title: null }, '/title'],
    [{ token_sources: ['nonsense'] }, '/token_sources/0'],
    [{ token_sources: [] }, '/token_sources'],
  ])('%j is refused', async (body, pointer) => {
    const made = await create()
    const answer = await stage.call('PATCH', `${PATH}/${made.json.result['id']}`, body)
    expect([answer.status, pointers(answer)]).toEqual([400, [pointer]])
  })
})

describe('credentials', () => {
  const put = async (id: unknown, keys: unknown, method = 'PUT') =>
    stage.call(method, `${PATH}/${id}/credentials`, { keys })
  const secretsOf = async () =>
    (await stage.db.selectFrom('token_keys').select('secret_id').execute()).map(
      (row) => row.secret_id,
    )

  test('PUT replaces the whole set, and answers flat and under result', async () => {
    const made = await create({ credentials: { keys: [rs, hs] } })
    const { status, json } = await put(made.json.result['id'], [es, makeKey('HS512').jwk])
    expect(status).toBe(200)
    const keys = [es, withoutK(makeKey('HS512').jwk)]
    expect(json).toEqual({ errors: [], messages: [], success: true, keys, result: { keys } })
    const after = await stage.call('GET', `${PATH}/${made.json.result['id']}`)
    expect(after.json.result['credentials']).toEqual({ keys })
  })

  test('PUT of what is there, with its secrets, changes nothing in the policy', async () => {
    const made = await create({ credentials: { keys: [rs, hs] } })
    const before = await readPolicy(stage.db, ZONE)
    const secrets = await secretsOf()
    expect((await put(made.json.result['id'], [rs, hs])).status).toBe(200)
    expect((await readPolicy(stage.db, ZONE))?.row).toEqual(before?.row)
    expect(await secretsOf()).toEqual(secrets)
  })

  test('PUT of a symmetric key needs its secret again', async () => {
    const made = await create({ credentials: { keys: [hs] } })
    const answer = await put(made.json.result['id'], [withoutK(hs)])
    expect([answer.status, pointers(answer)]).toEqual([400, ['/keys/0/k']])
  })

  test('PATCH keeps the secret of a key that is named without it', async () => {
    const made = await create({ credentials: { keys: [rs, hs] } })
    const [kept] = (await secretsOf()).filter((id) => id !== null)
    const { status, json } = await put(made.json.result['id'], [es, withoutK(hs)], 'PATCH')
    expect(status).toBe(200)
    expect(json.keys).toEqual([es, withoutK(hs)])
    expect(await secretsOf()).toContain(kept)
  })

  test('PATCH takes alg and kid alone for a key that is there', async () => {
    const made = await create({ credentials: { keys: [rs, hs] } })
    const names = [rs, hs].map(({ alg, kid }) => ({ alg, kid }))
    const { status, json } = await put(made.json.result['id'], names, 'PATCH')
    expect([status, json.keys]).toEqual([200, [rs, withoutK(hs)]])
  })

  test('PATCH takes a new secret, and refuses k null', async () => {
    const made = await create({ credentials: { keys: [hs] } })
    const before = await secretsOf()
    const rotated = { ...hs, k: makeKey('HS512', 'other').jwk['k'] }
    expect((await put(made.json.result['id'], [rotated], 'PATCH')).status).toBe(200)
    expect(await secretsOf()).not.toEqual(before)
    const refused = await put(made.json.result['id'], [{ ...hs, k: null }], 'PATCH')
    expect([refused.status, pointers(refused)]).toEqual([400, ['/keys/0/k']])
  })

  test('PATCH of a new symmetric key needs its secret', async () => {
    const made = await create({ credentials: { keys: [hs] } })
    const answer = await put(made.json.result['id'], [withoutK({ ...hs, kid: 'new' })], 'PATCH')
    expect([answer.status, pointers(answer)]).toEqual([400, ['/keys/0/k']])
  })

  test('a refused set leaves the one that is there', async () => {
    const made = await create({ credentials: { keys: [rs, hs] } })
    const before = await secretsOf()
    expect((await put(made.json.result['id'], [es, { ...es }])).status).toBe(400)
    expect(await secretsOf()).toEqual(before)
  })
})

describe('DELETE config', () => {
  test('answers the id and takes the keys along', async () => {
    const made = await create({ credentials: { keys: [hs] } })
    const { id } = made.json.result
    expect((await stage.call('DELETE', `${PATH}/${id}`)).json).toMatchObject({
      success: true,
      result: { id },
    })
    expect(await stage.db.selectFrom('token_keys').selectAll().execute()).toEqual([])
    expect((await stage.call('GET', PATH)).json.result).toEqual([])
  })
})

test('a secret is in no answer, no line of the audit log, no policy and no row of the database', async () => {
  const secret = String(hs['k'])
  const answers: Answer[] = []
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await stage.call(method, path, body)
    answers.push(answer)
    return answer
  }
  const made = await call('POST', PATH, config({ credentials: { keys: [hs] } }))
  const path = `${PATH}/${made.json.result['id']}`
  await call('PUT', `${path}/credentials`, { keys: [hs] })
  await call('PUT', `${path}/credentials`, { keys: [hs, hs] })
  await call('PATCH', `${path}/credentials`, { keys: [withoutK(hs)] })
  await call('PATCH', `${path}/credentials`, { keys: [{ ...hs, alg: 'HS1' }] })
  await call('PATCH', path, { title: 'x', credentials: { keys: [hs] } })
  await call('GET', path)
  await call('GET', PATH)
  await call('GET', '/openapi.json')
  await call('DELETE', path)
  expect(answers.filter(({ text }) => text.includes(secret))).toEqual([])
  for (const table of ['audit_log', 'policy_parts', 'secrets', 'token_keys'] as const)
    expect(JSON.stringify(await stage.db.selectFrom(table).selectAll().execute())).not.toContain(
      secret,
    )
})
