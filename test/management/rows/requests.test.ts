import { describe, expect, test } from 'vitest'
import { ADMIN, ZONE } from '../stage.js'
import { CONFIG, config, header, idOf, OPERATIONS, refusalOf, rule, RULES } from './bodies.js'
import { servedFor } from './served.js'

// What clients of the API send besides what the specification says.
const { call } = servedFor()

test.each(['application/json', '*/*', 'image/*', 'text/html', 'application/xml', 'nonsense', ''])(
  'Accept: %s is answered with JSON, never with 406',
  async (accept) => {
    for (const path of [CONFIG, RULES, OPERATIONS]) {
      const { status, headers } = await call('GET', path, undefined, { headers: { accept } })
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    }
  },
)

/** Every call of token validation and operations. */
const CALLS: readonly (readonly [method: string, path: string])[] = [
  ...[CONFIG, RULES, OPERATIONS].flatMap((path) => of(path, 'GET', 'POST')),
  ...of(`${CONFIG}/x`, 'GET', 'PATCH', 'DELETE'),
  ...of(`${CONFIG}/x/credentials`, 'PUT', 'PATCH'),
  ...of(`${RULES}/x`, 'GET', 'PATCH', 'DELETE'),
  ...of(`${RULES}/bulk`, 'POST', 'PATCH'),
  ...of(`${RULES}/preview`, 'POST', 'PUT'),
  ...of(`${OPERATIONS}/item`, 'POST'),
  ...of(`${OPERATIONS}/x`, 'GET', 'DELETE'),
  ...of(OPERATIONS, 'DELETE'),
]

function of(path: string, ...methods: readonly string[]): readonly (readonly [string, string])[] {
  return methods.map((method) => [method, path] as const)
}

describe('authentication (spec 5)', () => {
  test.each<[what: string, headers: Record<string, string>]>([
    ['beside an e-mail address and a key', { 'x-auth-email': 'a@example.com', 'x-auth-key': 'k' }],
    ['beside a key of a service', { 'x-auth-user-service-key': 'v1.0-x' }],
  ])('the bearer token counts %s', async (_what, headers) => {
    expect((await call('GET', CONFIG, undefined, { headers })).status).toBe(200)
  })

  test.each<[what: string, headers: Record<string, string>]>([
    ['nothing', {}],
    ['an unknown token', { authorization: 'Bearer nobody' }],
    ['two tokens', { authorization: `Bearer ${ADMIN} ${ADMIN}` }],
    ['another scheme', { authorization: `Basic ${ADMIN}` }],
    ['no scheme', { authorization: ADMIN }],
    ['other credentials alone', { 'x-auth-email': 'a@example.com', 'x-auth-key': ADMIN }],
  ])('%s is a 401 on every call of token validation and operations', async (_what, headers) => {
    for (const [method, path] of CALLS) {
      const answer = await call(method, path, undefined, { token: null, headers })
      expect([method, path, ...refusalOf(answer)]).toEqual([method, path, 401, 10000, undefined])
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="portcullis"/)
    }
  })
})

test('a 409 says that it is of no use to try again', async () => {
  const id = idOf(await call('POST', CONFIG, config()))
  await call('POST', RULES, rule({ expression: `is_jwt_valid("${id}")` }))
  const { status, headers } = await call('DELETE', `${CONFIG}/${id}`)
  expect([status, headers.get('x-should-retry')]).toEqual([409, 'false'])
})

test.each([
  [
    'in a body',
    'POST',
    CONFIG,
    config({ token_sources: [header('a'), 'http.request.uri.args["t"][0]'] }),
  ],
  ['in a rule', 'POST', RULES, rule({ selector: { include: [{ host: 'a b' }] } })],
  ['in bulk', 'POST', `${RULES}/bulk`, [rule(), rule({ expression: 'nope' })]],
])('a call that is refused %s leaves nothing behind', async (_what, method, path, body) => {
  const counts = async () => {
    const lists = [CONFIG, RULES, `/zones/${ZONE}/audit_log`, `/zones/${ZONE}/gate/versions`]
    const answers = await Promise.all(lists.map((list) => call('GET', list)))
    return answers.map(({ json }) => json.result_info?.['total_count'])
  }
  const before = await counts()
  expect((await call(method, path, body)).status).toBe(400)
  expect(await counts()).toEqual(before)
})
