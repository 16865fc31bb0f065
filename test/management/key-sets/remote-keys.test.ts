import { expect, test } from 'vitest'
import { makeKey } from '../../edge/token/keys.js'
import { createZoneStage, ZONE } from '../stage.js'
import { CONFIG, createKeySetStage, type KeySetStage } from './key-set-stage.js'

const one = makeKey('ES256', 'one').jwk
const two = makeKey('ES256', 'two').jwk
const hmac = makeKey('HS256', 'fixed').jwk
const MINUTE = 60_000
const DAY = 1440 * MINUTE

/** A stage with a configuration whose issuer publishes these keys. */
async function begun(keys: readonly unknown[] = [one], headers = {}, fixed?: readonly unknown[]) {
  const set = await createKeySetStage()
  set.issuer.publish(keys, headers)
  const made = await set.create(fixed)
  expect(made.status).toBe(200)
  return { ...set, set, id: String(made.json.result['id']), made }
}

/** Lets time pass until the next fetch is through. */
async function fetched({ pass, outcomes }: KeySetStage, milliseconds = DAY): Promise<string> {
  const before = outcomes.length
  pass(milliseconds)
  await expect.poll(() => outcomes.length, { interval: 2 }).toBe(before + 1)
  return outcomes.at(-1) ?? ''
}

test('a configuration is saved with the keys of its issuer: answers tell, and gates have them', async () => {
  const { made, status, id, inForce, stage } = await begun([one, two, hmac], { etag: '"1"' })
  const set = { state: 'fresh', keys: 2, fetched_at: '2026-01-31T12:00:00.000000Z' }
  const credentials = { keys: [], key_set: { ...set, last_error: null } }
  expect(made.json.result['credentials']).toMatchObject(credentials)
  expect(made.json.messages).toEqual([])
  expect((await stage.call('GET', CONFIG)).json.list).toMatchObject([{ credentials }])
  expect(await status(id)).toMatchObject({
    state: 'fresh',
    keys: [one, two],
    skipped: [{ pointer: '/keys/2/kty', kid: 'fixed' }],
    expires_at: '2026-01-31T12:10:00.000000Z',
    failures: 0,
    fixed: [],
    last_change: { added: [{ alg: 'ES256', kid: 'one' }, { kid: 'two' }], removed: [] },
  })
  expect(await inForce()).toEqual(['ES256 one', 'ES256 two'])
})

test('fixed keys stand before them and win', async () => {
  const mine = { ...two, kid: 'one' }
  const { inForce, id, status, stage } = await begun([one, two], {}, [hmac, mine])
  expect(await inForce()).toEqual(['HS256 fixed', 'ES256 one', 'ES256 two'])
  expect(await status(id)).toMatchObject({ fixed: [{ kid: 'fixed' }, { kid: 'one' }] })
  const { zone } = (await stage.management.policy(ZONE))!
  expect(zone.token_configurations?.[0]?.credentials.keys[1]).toEqual(mine)
})

test.each([
  ['http, where nobody allowed it', 'http://issuer.example/', /https/],
  ['another scheme', 'ftp://issuer.example/', /https/],
  ['no address', 'issuer', /https/],
  ['credentials', 'https://a:b@issuer.example/', /credentials/],
  ['too long', `https://issuer.example/${'x'.repeat(2048)}`, /2048/],
])('an address of %s is refused', async (_, uri, why) => {
  const { stage } = await createKeySetStage()
  const strict = uri.startsWith('http:') ? await createZoneStage() : stage
  const body = {
    title: '',
    description: '',
    token_type: 'JWT',
    token_sources: ['http.request.headers["a"][0]'],
    credentials: { jwks_uri: uri },
  }
  const { status, json } = await strict.call('POST', CONFIG, body)
  expect(status).toBe(400)
  expect(json.errors[0]).toMatchObject({ source: { pointer: '/credentials/jwks_uri' } })
  expect(json.errors[0]?.message).toMatch(why)
})

test('PUT replaces all credentials, PATCH keeps what it does not name', async () => {
  const { stage, id, inForce, issuer } = await begun()
  const credentials = `${CONFIG}/${id}/credentials`
  const patched = await stage.call('PATCH', credentials, { keys: [hmac] })
  expect(patched.json).toMatchObject({ keys: [{ kid: 'fixed' }], jwks_uri: issuer.uri })
  expect(await inForce()).toEqual(['HS256 fixed', 'ES256 one'])
  const put = await stage.call('PUT', credentials, { keys: [two] })
  expect(put.json).toEqual({
    errors: [],
    keys: [two],
    messages: [],
    result: { keys: [two] },
    success: true,
  })
  expect(await inForce()).toEqual(['ES256 two'])
  expect((await stage.call('GET', `${CONFIG}/${id}/key_set`)).status).toBe(404)
  await stage.call('PATCH', credentials, { jwks_uri: issuer.uri })
  expect(await inForce()).toEqual(['ES256 two', 'ES256 one'])
  await stage.call('PUT', credentials, { jwks_uri: issuer.uri })
  expect(await inForce()).toEqual(['ES256 one'])
  const bare = await stage.call('PATCH', credentials, { jwks_uri: null })
  expect(bare.json.errors).toMatchObject([{ source: { pointer: '/keys' } }])
  for (const body of [{}, { jwks_uri: null }])
    expect((await stage.call('PUT', credentials, body)).status).toBe(400)
  expect(issuer.asked).toHaveLength(2)
})

test('an issuer that does not answer in time holds up no save: every token is refused until it does', async () => {
  const set = await createKeySetStage()
  set.issuer.publish([one])
  const release = set.issuer.hold()
  const making = set.create()
  await expect.poll(() => set.issuer.asked.length).toBe(1)
  set.pass(2000)
  const { json } = await making
  expect(json.messages).toMatchObject([
    { code: 110403, source: { pointer: '/credentials/jwks_uri' } },
  ])
  expect(json.result['credentials']).toMatchObject({ key_set: { state: 'pending', keys: 0 } })
  expect(await set.inForce()).toEqual(['ES256 nobody'])
  release()
  await expect.poll(() => set.inForce()).toEqual(['ES256 one'])
})

test('an address inside is refused when it is asked, and the answer says so', async () => {
  const { create, status } = await createKeySetStage()
  const { json } = await create(undefined, 'https://169.254.169.254/latest/meta-data/')
  expect(json.messages[0]?.message).toMatch(/no public address/)
  const last_error = { code: 'address_refused' }
  expect(await status(String(json.result['id']))).toMatchObject({ state: 'failing', last_error })
})

test('an unchanged answer changes nothing but the times: no version, no line in the audit log', async () => {
  const { set, stage, status, id, issuer } = await begun([one, two], { etag: '"1"' })
  const version = (await stage.management.policy(ZONE))!.version
  expect(await fetched(set)).toBe('unchanged')
  expect(issuer.asked[1]?.['if-none-match']).toBe('"1"')
  issuer.publish([two, one])
  expect(await fetched(set)).toBe('unchanged')
  expect((await stage.management.policy(ZONE))!.version).toBe(version)
  expect(await status(id)).toMatchObject({ fetched_at: '2026-02-02T12:00:00.000000Z' })
})

test('a rotation comes with the next fetch, as one change of the system that the audit log tells of', async () => {
  const { set, stage, issuer, inForce, id } = await begun([one])
  issuer.publish([one, two])
  expect(await fetched(set)).toBe('changed')
  expect(await inForce()).toEqual(['ES256 one', 'ES256 two'])
  issuer.publish([two])
  expect(await fetched(set)).toBe('changed')
  expect(await inForce()).toEqual(['ES256 two'])
  const log = await stage.call('GET', `/zones/${ZONE}/audit_log`)
  const lines = log.json.list.filter((line) => JSON.stringify(line).includes('key_set'))
  expect(lines).toHaveLength(3)
  expect(JSON.stringify(lines[0])).toContain('"system"')
  expect(await set.status(id)).toMatchObject({
    last_change: { added: [], removed: [{ alg: 'ES256', kid: 'one' }] },
  })
})

const WRONG = [
  ['is down', { status: 503 }, 'bad_status'],
  ['knows nothing', { status: 404 }, 'bad_status'],
  ['answers empty', { body: '{"keys":[]}' }, 'no_usable_keys'],
  ['has secrets only', { body: JSON.stringify({ keys: [hmac] }) }, 'no_usable_keys'],
  ['answers a page', { body: '<html>' }, 'not_a_key_set'],
  ['moved', { status: 302, headers: { location: 'http://127.0.0.1/' } }, 'redirected'],
  ['answers without end', { body: ' '.repeat(1_048_577) }, 'too_large'],
] as const

test.each(WRONG)('an issuer that %s takes no key away for a week', async (_, answer, code) => {
  const { set, issuer, inForce, status, id } = await begun()
  issuer.answer = answer
  expect(await fetched(set, 9 * MINUTE + 59_000)).toBe(code)
  expect(await status(id)).toMatchObject({ state: 'failing', last_error: { code }, failures: 1 })
  expect(await fetched(set, 3 * DAY)).toBe(code)
  const stale = { state: 'stale', stale_since: '2026-01-31T12:10:00.000000Z', failures: 2 }
  expect(await status(id)).toMatchObject(stale)
  expect(await inForce()).toEqual(['ES256 one'])
  await fetched(set, 4 * DAY)
  expect(await status(id)).toMatchObject({ state: 'expired', keys: [], failures: 3 })
  expect(await inForce()).toEqual(['ES256 nobody'])
  issuer.publish([two])
  expect(await fetched(set)).toBe('changed')
  expect(await inForce()).toEqual(['ES256 two'])
})

test('fifty who want the same are one request', async () => {
  const { stage, issuer, id, outcomes } = await begun()
  const release = issuer.hold()
  const tell = (kid: string) =>
    stage.call('POST', `/zones/${ZONE}/gate/unknown_keys`, {
      configuration_id: id,
      keys: [{ alg: 'ES256', kid }],
    })
  const kids = Array.from({ length: 50 }, (_, at) => `kid-${at}`)
  expect((await tell('kid-0')).json.result).toEqual({ heard: 1 })
  await expect.poll(() => issuer.asked.length).toBe(2)
  const refreshes = kids.map(() => stage.call('POST', `${CONFIG}/${id}/key_set/refresh`))
  // Time for all of them to come while the answer is out.
  await new Promise((resolve) => setTimeout(resolve, 300))
  release()
  for (const { status } of await Promise.all(refreshes)) expect(status).toBe(200)
  expect(issuer.asked).toHaveLength(2)
  expect(outcomes).toEqual(['changed', 'unchanged'])
})

test('a key that a gate misses is fetched at once, while its budget lasts, and then in turn', async () => {
  const { set, stage, issuer, id, inForce, pass, outcomes } = await begun()
  const miss = (kid: string, more = false) =>
    stage.management.unknownKeys(ZONE, {
      configuration_id: id,
      keys: [{ alg: 'ES256', kid }],
      more,
    })
  for (const [at, kid] of ['a', 'b', 'c'].entries()) {
    miss(kid)
    await expect.poll(() => outcomes.length, { interval: 2 }).toBe(at + 2)
  }
  issuer.publish([one, two])
  miss('two')
  miss('a')
  // A secret is never an issuer's to publish, nor is a key without a name.
  stage.management.unknownKeys(ZONE, { configuration_id: id, keys: [{ alg: 'HS256', kid: 'x' }] })
  const refused = await stage.call('POST', `${CONFIG}/${id}/key_set/refresh`)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('10')
  expect(issuer.asked).toHaveLength(4)
  await expect.poll(() => (pass(1000), outcomes.length)).toBe(5)
  expect(await inForce()).toEqual(['ES256 one', 'ES256 two'])
  expect(set.stage.clock - Date.parse('2026-01-31T12:00:00Z')).toBeLessThanOrEqual(12_000)
  miss('two')
  miss('b')
  pass(20_000)
  expect((await stage.call('POST', `${CONFIG}/${id}/key_set/refresh`)).status).toBe(200)
  expect(issuer.asked).toHaveLength(6)
})

test('a rollback brings the address back, and of the keys what the issuer has now', async () => {
  const { set, stage, issuer, id, inForce } = await begun()
  const version = (await stage.management.policy(ZONE))!.version
  await stage.call('PUT', `${CONFIG}/${id}/credentials`, { keys: [hmac] })
  issuer.publish([two])
  const body = { version }
  expect((await stage.call('POST', `/zones/${ZONE}/gate/rollback`, body)).status).toBe(200)
  expect(await inForce()).toEqual(['ES256 nobody'])
  expect(await fetched(set, 0)).toBe('changed')
  expect(await inForce()).toEqual(['ES256 two'])
  expect((await stage.call('POST', `/zones/${ZONE}/gate/rollback`, { version: 1 })).status).toBe(
    200,
  )
  expect(await stage.db.selectFrom('remote_key_sets').selectAll().execute()).toEqual([])
})

test.each([
  ['its configuration', (id: string) => `${CONFIG}/${id}`],
  ['its zone', () => `/zones/${ZONE}`],
])('with %s a key set goes, even while it is fetched', async (_, path) => {
  const { stage, issuer, id, outcomes, pass } = await begun()
  const release = issuer.hold()
  issuer.publish([two])
  pass(DAY)
  await expect.poll(() => issuer.asked.length).toBe(2)
  expect((await stage.call('DELETE', path(id))).status).toBe(200)
  release()
  await expect.poll(() => outcomes.length).toBe(2)
  expect(await stage.db.selectFrom('remote_key_sets').selectAll().execute()).toEqual([])
  expect(stage.faults).toEqual([])
})
