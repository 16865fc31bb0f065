import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGate } from '../../src/edge/index.js'
import { keyFor } from '../edge/token/keys.js'
import { ACCOUNT, createZoneStage, ZONE, type Stage } from './stage.js'

const PATH = `/zones/${ZONE}/gate/policy`
const CONFIG = `/zones/${ZONE}/token_validation/config`
const RULES = `/zones/${ZONE}/token_validation/rules`
const OTHER = 'f'.repeat(32)

let stage: Stage
const secret = keyFor('HS256').jwk
beforeAll(async () => {
  stage = await createZoneStage()
  await stage.call('POST', '/zones', { id: OTHER, name: 'other.example', account: { id: ACCOUNT } })
  await stage.call('POST', CONFIG, {
    title: 'A',
    description: '',
    token_type: 'JWT',
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: { keys: [secret] },
  })
})
afterAll(() => stage.close())

const get = (tag?: string) =>
  stage.call('GET', PATH, undefined, tag === undefined ? {} : { headers: { 'if-none-match': tag } })

describe('the policy endpoint of gates', () => {
  test('answers the bare document with version, hash and secrets, and a gate compiles it', async () => {
    const { status, headers, text } = await get()
    const policy = await stage.management.policy(ZONE)
    const { version, ...document } = JSON.parse(text)
    expect(status).toBe(200)
    expect(document).toEqual(JSON.parse(JSON.stringify(policy?.zone)))
    expect(version).toBe(policy?.version)
    expect(headers.get('etag')).toBe(`"${policy?.hash}"`)
    expect(headers.get('x-policy-version')).toBe(String(policy?.version))
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('x-request-id')).not.toBeNull()
    expect(text).toContain(String(secret['k']))
    expect(createGate(document).zones).toHaveLength(1)
  })

  test('answers 304 to whoever has it, until it changes', async () => {
    const tag = (await get()).headers.get('etag')!
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const { status, text, headers } = await get(known)
      expect([status, text, headers.get('etag')]).toEqual([304, '', tag])
    }
    for (const other of ['""', '"x"', tag.slice(1, -1), ''])
      expect((await get(other)).status).toBe(200)
    await stage.call('POST', RULES, { action: 'log', expression: 'ssl' })
    const changed = await get(tag)
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(tag)
  })

  test.each<[string, readonly string[] | null, string, number]>([
    ['without a token', null, '*', 401],
    ['with another permission in the zone', ['token_validation:edit'], '*', 403],
    ['with the permission in another zone', ['gate'], `zone:${OTHER}`, 404],
    ['with the permission in another account', ['gate'], `account:${'b'.repeat(32)}`, 404],
    ['with the permission in the zone', ['gate'], `zone:${ZONE}`, 200],
    ['with the permission in the account', ['gate'], `account:${ACCOUNT}`, 200],
    ['by an operator', ['operator'], '*', 200],
  ])('%s', async (_, permissions, resource, expected) => {
    const token = permissions && (await stage.token(permissions, resource))
    const { status, text } = await stage.call('GET', PATH, undefined, { token })
    expect(status).toBe(expected)
    if (status !== 200) expect(text).not.toContain(String(secret['k']))
  })

  test('a zone that is not there looks like one out of reach', async () => {
    const token = await stage.token(['gate'], `zone:${OTHER}`)
    const missing = await stage.call('GET', PATH.replace(ZONE, 'none'), undefined, { token })
    const hidden = await stage.call('GET', PATH, undefined, { token })
    expect([missing.status, missing.text]).toEqual([404, hidden.text])
    expect((await stage.call('POST', PATH, {})).status).toBe(405)
  })
})
