import { describe, expect, test } from 'vitest'
import { keyFor } from '../../edge/token/keys.js'
import { CONFIG, config, header, idOf, NOBODY, refusalOf, toldBy, UUID, without } from './bodies.js'
import { MEMBER_ROWS, REFUSED, TAKEN } from './configuration-values.js'
import { servedFor } from './served.js'

const { call } = servedFor('token_configurations', 'token_keys')
const create = (changes: object = {}) => call('POST', CONFIG, config(changes))

describe('POST', () => {
  test('4.1 POST config: answers every member of the configuration', async () => {
    const { status, json } = await create()
    expect(status).toBe(200)
    expect(json.result).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      last_updated: expect.any(String),
      ...config(),
    })
  })

  test('2.2 id: a UUID of its own, which nobody else chooses', async () => {
    const [one, two] = [await create({ id: NOBODY }), await create()]
    expect(toldBy(one)).toEqual([[10423, '/id']])
    expect(idOf(one)).toMatch(UUID)
    expect(idOf(two)).toMatch(UUID)
    expect(new Set([NOBODY, idOf(one), idOf(two)]).size).toBe(3)
  })

  test.each([
    ['2.2 created_at', 'created_at'],
    ['2.2 last_updated', 'last_updated'],
  ])(
    '%s: when it was made, in RFC 3339 with microseconds, and nobody else sets it',
    async (_row, member) => {
      const answer = await create({ [member]: '2001-01-01T00:00:00Z' })
      expect(toldBy(answer)).toEqual([[10423, `/${member}`]])
      expect(answer.json.result[member]).toBe('2026-01-31T12:00:00.000000Z')
    },
  )

  test.each(TAKEN.map(([member, values]) => [MEMBER_ROWS[member].made, member, values] as const))(
    '%s: %s may be each of %j',
    async (_row, member, values) => {
      for (const value of values) {
        const answer = await create({ [member]: value })
        expect([answer.status, answer.json.result[member]]).toEqual([200, value])
      }
    },
  )

  test.each(REFUSED.map((row) => [MEMBER_ROWS[row[0]].made, ...row] as const))(
    '%s: %s may be none of %j',
    async (_row, member, values, code, pointer) => {
      for (const value of values)
        expect([value, ...refusalOf(await create({ [member]: value }))]).toEqual([
          value,
          400,
          code,
          pointer,
        ])
    },
  )

  test.each([
    ['4.1 POST config credentials', 'credentials'],
    ['4.1 POST config description', 'description'],
    ['4.1 POST config title', 'title'],
    ['4.1 POST config token_sources', 'token_sources'],
    ['4.1 POST config token_type', 'token_type'],
  ])('%s: is required', async (_row, member) => {
    const answer = await call('POST', CONFIG, without(config(), member))
    expect(refusalOf(answer)).toEqual([400, 10422, `/${member}`])
  })

  test.each(['JWT', 'jwt', 'Jwt'])(
    '2.2 token_type, 4.1 POST config token_type: takes %s and answers JWT',
    async (token_type) => {
      expect((await create({ token_type })).json.result['token_type']).toBe('JWT')
    },
  )

  test.each([null, 1, '', 'JWE', 'JWT ', ['JWT']])(
    '2.2 token_type, 4.1 POST config token_type: refuses %j',
    async (token_type) => {
      expect(refusalOf(await create({ token_type }))).toEqual([400, 10422, '/token_type'])
    },
  )

  test.each<[given: unknown, code: number, pointer: string]>([
    [null, 10422, ''],
    ['x', 10422, ''],
    [[], 10422, ''],
    [{}, 10422, '/keys'],
    [{ keys: null }, 10422, '/keys'],
    [{ keys: {} }, 10422, '/keys'],
    [{ keys: [] }, 110200, '/keys'],
    [{ keys: [null] }, 110200, '/keys/0'],
    [{ keys: ['x'] }, 110200, '/keys/0'],
    [{ keys: [[]] }, 110200, '/keys/0'],
  ])(
    '2.2 credentials, 4.1 POST config credentials: refuses %j with %i at %s',
    async (credentials, code, pointer) => {
      expect(refusalOf(await create({ credentials }))).toEqual([
        400,
        code,
        `/credentials${pointer}`,
      ])
    },
  )

  test('2.2 credentials: is an object with the keys, and tells of members it does not know', async () => {
    const keys = [keyFor('RS256').jwk, keyFor('ES256').jwk]
    const answer = await create({ credentials: { keys, kids: [] } })
    expect(answer.json.result['credentials']).toEqual({ keys })
    expect(toldBy(answer)).toEqual([[10423, '/credentials/kids']])
  })

  test('2.2 token_sources: shows a fault with line, column and caret', async () => {
    const { json } = await create({ token_sources: ['http.request.headers["a"][0] eq'] })
    expect(json.errors[0]?.message).toMatch(/^line 1, column \d+: .*\n.*\n +\^/)
  })

  test('2.2 token_sources: keeps a header name in upper case as written, with a message', async () => {
    const token_sources = [header('a'), header('X-Token')]
    const answer = await create({ token_sources })
    expect(answer.json.result['token_sources']).toEqual(token_sources)
    expect(toldBy(answer)).toEqual([[110301, '/token_sources/1']])
  })
})
