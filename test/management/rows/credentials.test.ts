import { describe, expect, test } from 'vitest'
import { readPolicy } from '../../../src/management/store/index.js'
import { keyFor, makeKey } from '../../edge/token/keys.js'
import { ZONE, type Answer } from '../stage.js'
import { CONFIG, config, idOf, NOBODY, refusalOf, RULES, rule, without } from './bodies.js'
import { servedFor } from './served.js'

const served = servedFor('rules', 'token_configurations', 'token_keys')
const { call } = served

const rs = keyFor('RS256').jwk
const es = keyFor('ES256').jwk
const hs = keyFor('HS256').jwk
const K = String(hs['k'])
const redacted = without(hs, 'k')

const make = (...keys: readonly unknown[]) =>
  call('POST', CONFIG, config({ credentials: { keys } }))
const change = (method: string, id: string, keys: unknown) =>
  call(method, `${CONFIG}/${id}/credentials`, { keys })
const stored = async (id: string) =>
  (await call('GET', `${CONFIG}/${id}`)).json.result['credentials']
/** Which secrets there are: an unchanged one stays where it is. */
const secrets = async () => {
  const rows = await served.stage.db.selectFrom('token_keys').select('secret_id').execute()
  return rows.flatMap(({ secret_id }) => secret_id ?? [])
}

describe('PUT', () => {
  test('4.1 PUT config/{config_id}/credentials, 4.1 rule 1: replaces the whole set', async () => {
    const id = idOf(await make(rs, hs))
    const other = makeKey('HS512').jwk
    const { status, json } = await change('PUT', id, [es, other])
    const keys = [es, without(other, 'k')]
    expect(status).toBe(200)
    expect(json).toEqual({ errors: [], messages: [], success: true, keys, result: { keys } })
    expect(await stored(id)).toEqual({ keys })
  })

  test('4.1 PUT config/{config_id}/credentials: of what is there, with its secrets, changes no policy', async () => {
    const id = idOf(await make(rs, hs))
    const [policy, before] = [await readPolicy(served.stage.db, ZONE), await secrets()]
    expect((await change('PUT', id, [rs, hs])).status).toBe(200)
    expect((await readPolicy(served.stage.db, ZONE))?.row).toEqual(policy?.row)
    expect(await secrets()).toEqual(before)
  })

  test('4.1 rule 3: needs the secret of a symmetric key again', async () => {
    const id = idOf(await make(hs))
    expect(refusalOf(await change('PUT', id, [redacted]))).toEqual([400, 110200, '/keys/0/k'])
  })
})

describe('PATCH', () => {
  test('keeps the secret of a key that is named without it, and removes keys not named', async () => {
    const id = idOf(await make(rs, hs))
    const before = await secrets()
    const { status, json } = await change('PATCH', id, [es, redacted])
    expect([status, json.keys]).toEqual([200, [es, redacted]])
    expect(await secrets()).toEqual(before)
  })

  test('takes alg and kid alone for a key that is there', async () => {
    const id = idOf(await make(rs, hs))
    const names = [rs, hs].map(({ alg, kid }) => ({ alg, kid }))
    expect((await change('PATCH', id, names)).json.keys).toEqual([rs, redacted])
  })

  test('takes a new secret', async () => {
    const id = idOf(await make(hs))
    const before = await secrets()
    const rotated = { ...hs, k: makeKey('HS512', 'other').jwk['k'] }
    expect((await change('PATCH', id, [rotated])).status).toBe(200)
    expect(await secrets()).not.toEqual(before)
  })

  test.each([
    ['k null for a key that is there', { ...hs, k: null }],
    ['a new symmetric key without k', { ...redacted, kid: 'new' }],
    ['a key that is there under another alg, without k', { ...redacted, alg: 'HS384' }],
  ])('4.1 rule 3: refuses %s', async (_what, key) => {
    const id = idOf(await make(hs))
    expect(refusalOf(await change('PATCH', id, [key]))).toEqual([400, 110200, '/keys/0/k'])
  })
})

describe.each(['PUT', 'PATCH'])('%s', (method) => {
  test.each<[body: unknown, code: number, pointer: string]>([
    [{}, 10422, '/keys'],
    [{ keys: null }, 10422, '/keys'],
    [{ keys: {} }, 10422, '/keys'],
    [{ keys: 'x' }, 10422, '/keys'],
    [{ keys: [] }, 110200, '/keys'],
    [{ keys: [null] }, 110200, '/keys/0'],
    [[], 10422, ''],
    [null, 10422, ''],
  ])('refuses %j, and leaves the set that is there', async (body, code, pointer) => {
    const id = idOf(await make(rs, hs))
    const [before, policy] = [await secrets(), await stored(id)]
    const answer = await call(method, `${CONFIG}/${id}/credentials`, body)
    expect(refusalOf(answer)).toEqual([400, code, pointer])
    expect([await secrets(), await stored(id)]).toEqual([before, policy])
  })

  test('4.1 rule 2: a pair twice is refused, and the set stays', async () => {
    const id = idOf(await make(rs, hs))
    const before = await secrets()
    expect(refusalOf(await change(method, id, [es, { ...es }]))).toEqual([
      400,
      110200,
      '/keys/1/kid',
    ])
    expect(await secrets()).toEqual(before)
  })

  test('of a configuration that is not there is 404', async () => {
    expect(refusalOf(await change(method, NOBODY, [es]))).toEqual([404, 10404, undefined])
  })
})

test('4.1 rule 4: k is in no answer, no line of the audit log, no policy and no row of the database', async () => {
  const answers: Answer[] = []
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body)
    answers.push(answer)
    return answer
  }
  const made = await ask('POST', CONFIG, config({ credentials: { keys: [hs] } }))
  const path = `${CONFIG}/${idOf(made)}`
  await ask('PUT', `${path}/credentials`, { keys: [hs] })
  await ask('PUT', `${path}/credentials`, { keys: [hs, hs] })
  await ask('PATCH', `${path}/credentials`, { keys: [redacted] })
  await ask('PATCH', `${path}/credentials`, { keys: [{ ...hs, alg: 'HS1' }] })
  await ask('PATCH', `${path}/credentials`, { keys: [{ ...hs, kty: 'RSA' }] })
  await ask('PATCH', path, { title: 'x', credentials: { keys: [hs] } })
  await ask('POST', RULES, rule({ expression: `is_jwt_valid("${idOf(made)}")` }))
  await ask('DELETE', path)
  for (const each of [path, CONFIG, RULES, `/zones/${ZONE}/audit_log`, '/openapi.json'])
    await ask('GET', each)
  expect(answers.filter(({ text }) => text.includes(K))).toEqual([])
  for (const table of ['audit_log', 'policy_parts', 'secrets', 'token_keys'] as const)
    expect(
      JSON.stringify(await served.stage.db.selectFrom(table).selectAll().execute()),
    ).not.toContain(K)
})
