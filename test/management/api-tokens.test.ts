import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCOUNT, ADMIN, createStage, createZoneStage, ZONE, type Stage } from './stage.js'

const OTHER_ACCOUNT = 'b'.repeat(32)
const OTHER_ZONE = '0'.repeat(31) + '2'

let stage: Stage
beforeAll(async () => {
  stage = await createZoneStage()
  await stage.call('POST', '/accounts', { id: OTHER_ACCOUNT, name: 'Others' })
  const zone = { id: OTHER_ZONE, name: 'example.org', account: { id: OTHER_ACCOUNT } }
  await stage.call('POST', '/zones', zone)
})
afterAll(() => stage.close())

const policy = (permissions: readonly string[], resources: object = { '*': '*' }) => ({
  effect: 'allow',
  permission_groups: permissions.map((id) => ({ id })),
  resources,
})

describe('what a token may', () => {
  test.each<[string, readonly string[], string, string, string, number]>([
    ['read with read', ['zones:read'], '*', 'GET', `/zones/${ZONE}`, 200],
    ['read with edit', ['zones:edit'], '*', 'GET', `/zones/${ZONE}`, 200],
    ['not edit with read', ['zones:read'], '*', 'PATCH', `/zones/${ZONE}`, 403],
    ['not read another area', ['operations:edit'], '*', 'GET', `/zones/${ZONE}`, 403],
    ['everything as operator', ['operator'], '*', 'PATCH', `/zones/${ZONE}`, 200],
    ['in its zone', ['zones:edit'], `zone:${ZONE}`, 'PATCH', `/zones/${ZONE}`, 200],
    [
      'in the zones of its account',
      ['zones:edit'],
      `account:${ACCOUNT}`,
      'PATCH',
      `/zones/${ZONE}`,
      200,
    ],
    ['not in another zone', ['operator'], `zone:${ZONE}`, 'GET', `/zones/${OTHER_ZONE}`, 404],
    [
      'not in another account',
      ['operator'],
      `account:${ACCOUNT}`,
      'GET',
      `/zones/${OTHER_ZONE}`,
      404,
    ],
    [
      'not the account of its zone',
      ['operator'],
      `zone:${ZONE}`,
      'GET',
      `/accounts/${ACCOUNT}`,
      404,
    ],
    [
      'not make accounts in an account',
      ['operator'],
      `account:${ACCOUNT}`,
      'POST',
      '/accounts',
      403,
    ],
    ['not the tokens without that right', ['zones:edit'], '*', 'GET', '/user/tokens', 403],
    ['always look at itself', ['gate'], `zone:${ZONE}`, 'GET', '/user/tokens/verify', 200],
  ])('%s', async (_, permissions, resource, method, path, status) => {
    const token = await stage.token(permissions, resource)
    const body = method === 'GET' ? undefined : { name: 'x' }
    expect((await stage.call(method, path, body, { token })).status).toBe(status)
  })

  test('what is out of reach and what does not exist answer alike', async () => {
    const token = await stage.token(['operator'], `zone:${ZONE}`)
    const [there, nowhere] = await Promise.all(
      [OTHER_ZONE, 'f'.repeat(32)].map((id) =>
        stage.call('DELETE', `/zones/${id}`, undefined, { token }),
      ),
    )
    expect([there!.status, there!.text]).toEqual([nowhere!.status, nowhere!.text])
  })

  test('lists show what is within reach, and count no more than that', async () => {
    const token = await stage.token(['zones:read'], `account:${ACCOUNT}`)
    const { json } = await stage.call('GET', '/zones', undefined, { token })
    expect(json.list.map(({ id }) => id)).toEqual([ZONE])
    expect(json.result_info).toMatchObject({ total_count: 1, total_pages: 1 })
  })
})

describe('the resources of a policy', () => {
  test.each<[object, number]>([
    [{ '*': '*' }, 2],
    [{ 'com.cloudflare.api.account.*': '*' }, 2],
    [{ 'com.cloudflare.api.account.zone.*': '*' }, 2],
    [{ [`com.cloudflare.api.account.${ACCOUNT}`]: '*' }, 1],
    [{ [`com.cloudflare.api.account.zone.${ZONE}`]: '*' }, 1],
    [
      { [`com.cloudflare.api.account.${ACCOUNT}`]: { 'com.cloudflare.api.account.zone.*': '*' } },
      1,
    ],
    [
      {
        [`com.cloudflare.api.account.${ACCOUNT}`]: {
          [`com.cloudflare.api.account.zone.${OTHER_ZONE}`]: '*',
        },
      },
      1,
    ],
    [{ [`zone:${ZONE}`]: '*', [`zone:${OTHER_ZONE}`]: '*' }, 2],
  ])('%j', async (resources, count) => {
    const made = await stage.call('POST', '/user/tokens', {
      name: 'x',
      policies: [policy(['zones:read'], resources)],
    })
    const token = String(made.json.result['value'])
    const { json } = await stage.call('GET', '/zones', undefined, { token })
    expect(json.result).toHaveLength(count)
  })

  test.each<[string, object, string]>([
    ['a deny', { ...policy(['gate']), effect: 'deny' }, '/policies/0/effect'],
    ['an unknown permission', policy(['root']), '/policies/0/permission_groups/0/id'],
    [
      'a permission called constructor',
      policy(['constructor']),
      '/policies/0/permission_groups/0/id',
    ],
    [
      'another resource',
      policy(['gate'], { 'com.cloudflare.api.user.1': '*' }),
      '/policies/0/resources',
    ],
    ['no resource', policy(['gate'], {}), '/policies/0/resources'],
  ])('%s is refused', async (_, one, pointer) => {
    const { status, json } = await stage.call('POST', '/user/tokens', {
      name: 'x',
      policies: [one],
    })
    expect(status).toBe(400)
    expect(json.errors[0]?.source?.pointer).toBe(pointer)
  })
})

describe('nobody hands on more than they have', () => {
  test.each<[string, object, number]>([
    ['the same', policy(['api_tokens:edit', 'zones:read'], { [`account:${ACCOUNT}`]: '*' }), 200],
    ['less', policy(['zones:read'], { [`zone:${ZONE}`]: '*' }), 200],
    ['another right', policy(['zones:edit'], { [`account:${ACCOUNT}`]: '*' }), 403],
    ['operator', policy(['operator'], { [`account:${ACCOUNT}`]: '*' }), 403],
    ['everywhere', policy(['zones:read']), 403],
    ['another zone', policy(['zones:read'], { [`zone:${OTHER_ZONE}`]: '*' }), 403],
    ['a zone that does not exist', policy(['zones:read'], { 'zone:none': '*' }), 403],
  ])('%s', async (_, one, status) => {
    const token = await stage.token(['api_tokens:edit', 'zones:read'], `account:${ACCOUNT}`)
    const body = { name: 'handed on', policies: [one] }
    expect((await stage.call('POST', '/user/tokens', body, { token })).status).toBe(status)
  })

  test('a token of more than that cannot be seen, changed or rolled', async () => {
    const token = await stage.token(['api_tokens:edit'], `account:${ACCOUNT}`)
    const { json } = await stage.call('GET', '/user/tokens?per_page=100')
    const admin = json.list.find(({ name }) => name === 'First administrator')!['id']
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', '/value'],
      ['DELETE', ''],
    ])
      expect(
        (await stage.call(method!, `/user/tokens/${admin}${path}`, undefined, { token })).status,
      ).toBe(404)
    const seen = await stage.call('GET', '/user/tokens?per_page=100', undefined, { token })
    expect(seen.json.list.some(({ name }) => name === 'First administrator')).toBe(false)
  })
})

describe('the life of a token', () => {
  test('it works until it is deleted, and its value is told only once', async () => {
    const made = await stage.call('POST', '/user/tokens', {
      name: 'short-lived',
      policies: [policy(['zones:read'])],
    })
    const { id, value } = made.json.result
    expect(value).toMatch(/^pcl_[\w-]{43}$/)
    const token = String(value)
    expect((await stage.call('GET', '/zones', undefined, { token })).status).toBe(200)
    const got = await stage.call('GET', `/user/tokens/${id}`)
    expect(got.json.result).toMatchObject({ id, name: 'short-lived', status: 'active' })
    expect(got.text).not.toContain(token)
    expect((await stage.call('DELETE', `/user/tokens/${id}`)).json.result).toEqual({ id })
    expect((await stage.call('GET', '/zones', undefined, { token })).status).toBe(401)
    expect((await stage.call('GET', `/user/tokens/${id}`)).status).toBe(404)
  })

  test('only its hash is in the database', async () => {
    const token = await stage.token(['gate'])
    const rows = JSON.stringify(await stage.db.selectFrom('api_tokens').selectAll().execute())
    expect(rows).not.toContain(token)
    expect(rows).not.toContain(ADMIN)
    const log = JSON.stringify(await stage.db.selectFrom('audit_log').selectAll().execute())
    expect(log).not.toContain(token)
    expect(log).not.toMatch(/"hash/)
  })

  test('a new value takes the place of the old one', async () => {
    const made = await stage.call('POST', '/user/tokens', {
      name: 'r',
      policies: [policy(['zones:read'])],
    })
    const { id, value } = made.json.result
    const rolled = await stage.call('PUT', `/user/tokens/${id}/value`)
    const status = async (token: unknown) =>
      (await stage.call('GET', '/zones', undefined, { token: String(token) })).status
    expect([await status(value), await status(rolled.json.result)]).toEqual([401, 200])
  })

  test('it can be switched off and on', async () => {
    const policies = [policy(['zones:read'])]
    const made = await stage.call('POST', '/user/tokens', { name: 's', policies })
    const { id, value } = made.json.result
    for (const [status, expected] of [
      ['disabled', 401],
      ['active', 200],
    ]) {
      const put = await stage.call('PUT', `/user/tokens/${id}`, { name: 's', policies, status })
      expect(put.json.result['status']).toBe(status)
      expect((await stage.call('GET', '/zones', undefined, { token: String(value) })).status).toBe(
        expected,
      )
    }
  })

  test('it has a first and a last moment', async () => {
    const own = await createStage()
    const made = await own.call('POST', '/user/tokens', {
      name: 'x',
      policies: [policy(['zones:read'])],
      not_before: '2026-01-31T13:00:00Z',
      expires_on: '2026-01-31T15:00:00+01:00',
    })
    const token = String(made.json.result['value'])
    const statusAt = async (time: string) => {
      own.clock = Date.parse(time)
      return (await own.call('GET', '/zones', undefined, { token })).status
    }
    expect(await statusAt('2026-01-31T12:59:59.999Z')).toBe(401)
    expect(await statusAt('2026-01-31T13:00:00Z')).toBe(200)
    expect(await statusAt('2026-01-31T13:59:59.999Z')).toBe(200)
    expect(await statusAt('2026-01-31T14:00:00Z')).toBe(401)
    const listed = async (query: string) =>
      (await own.call('GET', `/user/tokens${query}`)).json.list.length
    expect([await listed(''), await listed('?include_expired=false')]).toEqual([2, 1])
    await own.close()
  })

  test('its last use is kept to the minute', async () => {
    const own = await createStage()
    const lastUse = async () =>
      (await own.call('GET', '/user/tokens')).json.list[0]!['last_used_on']
    expect(await lastUse()).toBe('2026-01-31T12:00:00.000000Z')
    own.clock += 30_000
    expect(await lastUse()).toBe('2026-01-31T12:00:00.000000Z')
    own.clock += 30_000
    expect(await lastUse()).toBe('2026-01-31T12:01:00.000000Z')
    await own.close()
  })

  test('lets its owner read while its last use cannot be kept, and tells of that once a minute', async () => {
    const own = await createStage()
    const list = () => own.call('GET', '/user/tokens')
    await list()
    await sql`pragma query_only = 1`.execute(own.db)
    own.clock += 60_000
    expect([(await list()).status, (await list()).status]).toEqual([200, 200])
    expect(own.faults).toMatchObject([{ message: 'attempt to write a readonly database' }])
    await sql`pragma query_only = 0`.execute(own.db)
    own.clock += 60_000
    expect((await list()).json.list[0]!['last_used_on']).toBe('2026-01-31T12:02:00.000000Z')
    await own.close()
  })
})

test('a time that no clock here reaches is refused', async () => {
  const body = { name: 'x', policies: [policy(['gate'])], expires_on: '9999-12-31T23:59:59Z' }
  const { status, json } = await stage.call('POST', '/user/tokens', body)
  expect([status, json.errors[0]?.source?.pointer]).toEqual([400, '/expires_on'])
})

describe('the first token', () => {
  test('is made when there is none, told once, and only its hash is kept', async () => {
    const own = await createStage()
    await own.db.deleteFrom('api_tokens').execute()
    const made = await own.management.ensureFirstToken()
    expect(made).toMatch(/^pcl_/)
    expect((await own.call('GET', '/zones', undefined, { token: made! })).status).toBe(200)
    expect(await own.management.ensureFirstToken()).toBeUndefined()
    await own.close()
  })

  test('is the given one, however often it is given', async () => {
    expect(await stage.management.ensureFirstToken(ADMIN)).toBeUndefined()
    const rows = await stage.db
      .selectFrom('api_tokens')
      .where('name', '=', 'First administrator')
      .selectAll()
      .execute()
    expect(rows).toHaveLength(1)
  })
})
