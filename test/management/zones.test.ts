import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPolicy } from '../../src/management/store/index.js'
import { ACCOUNT, createZoneStage, ZONE, type Stage } from './stage.js'

let stage: Stage
beforeAll(async () => {
  stage = await createZoneStage()
})
afterAll(() => stage.close())

describe('accounts', () => {
  test('are made, read, changed and deleted', async () => {
    const made = await stage.call('POST', '/accounts', { name: 'Shop', type: 'enterprise' })
    expect(made.status).toBe(200)
    const id = made.json.result['id']
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(made.json.result).toMatchObject({ name: 'Shop', type: 'enterprise' })
    for (const method of ['PUT', 'PATCH'])
      expect(
        (await stage.call(method, `/accounts/${id}`, { name: method })).json.result,
      ).toMatchObject({
        name: method,
        type: 'enterprise',
      })
    expect((await stage.call('GET', '/accounts?name=PATCH')).json.result).toHaveLength(1)
    expect((await stage.call('DELETE', `/accounts/${id}`)).json.result).toEqual({ id })
    expect((await stage.call('GET', `/accounts/${id}`)).status).toBe(404)
  })

  test('that have a zone are not deleted, and nobody should try again', async () => {
    const answer = await stage.call('DELETE', `/accounts/${ACCOUNT}`)
    expect(answer.status).toBe(409)
    expect(answer.headers.get('x-should-retry')).toBe('false')
    expect(answer.json.errors[0]?.message).toContain('example.com')
  })

  test('an id that is taken is refused', async () => {
    const answer = await stage.call('POST', '/accounts', { id: ACCOUNT, name: 'Again' })
    expect([answer.status, answer.json.errors[0]?.source?.pointer]).toEqual([409, '/id'])
  })
})

describe('zones', () => {
  test('have the members that clients read', async () => {
    const { json } = await stage.call('GET', `/zones/${ZONE}`)
    expect(json.result).toMatchObject({
      id: ZONE,
      name: 'example.com',
      account: { id: ACCOUNT, name: 'Tests' },
      status: 'active',
      paused: false,
      type: 'full',
      name_servers: [],
      created_on: '2026-01-31T12:00:00.000000Z',
    })
  })

  test.each([
    ['Example.NET.', 'example.net'],
    ['bücher.example', 'xn--bcher-kva.example'],
  ])('%s is kept as %s', async (name, kept) => {
    const { json } = await stage.call('POST', '/zones', { name, account: { id: ACCOUNT } })
    expect(json.result['name']).toBe(kept)
  })

  test.each<[object, number, string]>([
    [{ name: 'a b', account: { id: ACCOUNT } }, 400, '/name'],
    [{ name: '{x}.example.com', account: { id: ACCOUNT } }, 400, '/name'],
    [{ name: 'new.example', account: { id: 'none' } }, 400, '/account/id'],
    [{ name: 'EXAMPLE.com', account: { id: ACCOUNT } }, 409, '/name'],
    [{ name: 'new.example', account: { id: ACCOUNT }, id: '../x' }, 400, '/id'],
    [{ name: 'new.example', account: { id: ACCOUNT }, upstream: 'file:///etc' }, 400, '/upstream'],
    [{ name: 'new.example', account: { id: ACCOUNT }, upstream: 'http://a:b@c' }, 400, '/upstream'],
    [{ name: 'new.example', account: { id: ACCOUNT }, upstream: 'http://c/api' }, 400, '/upstream'],
    [{ name: 'new.example', account: { id: ACCOUNT }, upstream: 'http://c/?a' }, 400, '/upstream'],
  ])('%j is refused', async (body, status, pointer) => {
    const answer = await stage.call('POST', '/zones', body)
    expect([answer.status, answer.json.errors[0]?.source?.pointer]).toEqual([status, pointer])
  })

  test('have a plan, free unless it is said', async () => {
    const free = (await stage.call('GET', `/zones/${ZONE}`)).json.result
    expect(free['plan']).toMatchObject({
      id: 'free',
      name: 'Free Website',
      legacy_id: 'free',
      is_subscribed: true,
      can_subscribe: false,
    })
    const body = { name: 'paid.example', account: { id: ACCOUNT }, plan: { id: 'pro' } }
    const made = (await stage.call('POST', '/zones', body)).json.result
    expect(made['plan']).toMatchObject({ id: 'pro', legacy_id: 'pro' })
    const path = `/zones/${String(made['id'])}`
    const changed = await stage.call('PATCH', path, { plan: { id: 'business' } })
    expect(changed.json.result['plan']).toMatchObject({ id: 'business' })
    expect(changed.json.messages).toEqual([])
    const plans = (await stage.call('GET', `${path}/available_plans`)).json.list
    expect(plans.map((plan) => [plan['id'], plan['is_subscribed']])).toEqual([
      ['free', false],
      ['pro', false],
      ['business', true],
      ['enterprise', false],
    ])
    expect((await stage.call('GET', `${path}/available_plans/pro`)).json.result).toEqual(plans[1])
    expect((await stage.call('GET', `${path}/available_plans/gold`)).status).toBe(404)
    const unknown = await stage.call('PATCH', path, { plan: { id: 'gold' } })
    expect([unknown.status, unknown.json.errors[0]?.source?.pointer]).toEqual([400, '/plan/id'])
  })

  test('change their plan by the word of an operator only', async () => {
    const token = await stage.token(['zones:edit'])
    const body = { name: 'mine.example', account: { id: ACCOUNT } }
    const paid = { ...body, plan: { id: 'pro' } }
    expect((await stage.call('POST', '/zones', paid, { token })).status).toBe(403)
    const made = await stage.call('POST', '/zones', { ...body, plan: { id: 'free' } }, { token })
    const path = `/zones/${String(made.json.result['id'])}`
    const up = { plan: { id: 'pro' } }
    expect((await stage.call('PATCH', path, up, { token })).status).toBe(403)
    expect((await stage.call('PATCH', path, up)).status).toBe(200)
    const same = await stage.call('PATCH', path, { ...up, paused: true }, { token })
    expect(same.json.result).toMatchObject({ paused: true, plan: { id: 'pro' } })
    const down = await stage.call('PATCH', path, { plan: { id: 'free' } }, { token })
    expect(down.status).toBe(403)
  })

  test('are found by name and account', async () => {
    for (const query of [
      'name=EXAMPLE.com',
      `account.id=${ACCOUNT}&name=example.com`,
      'account.name=Tests&name=example.com',
    ])
      expect((await stage.call('GET', `/zones?${query}`)).json.list.map(({ id }) => id)).toEqual([
        ZONE,
      ])
    for (const query of ['name=other.example', 'account.id=none', 'status=pending'])
      expect((await stage.call('GET', `/zones?${query}`)).json.result).toEqual([])
  })

  test('in any order and direction every page size gives the same sequence', async () => {
    for (const order of ['name', 'account.id', 'account.name', 'status', 'plan.id'])
      for (const direction of ['asc', 'desc']) {
        const all = (await stage.call('GET', `/zones?order=${order}&direction=${direction}`)).json
          .list
        const pages = await Promise.all(
          all.map((_, at) =>
            stage.call(
              'GET',
              `/zones?order=${order}&direction=${direction}&per_page=1&page=${at + 1}`,
            ),
          ),
        )
        expect(pages.flatMap(({ json }) => json.list.map(({ id }) => id))).toEqual(
          all.map(({ id }) => id),
        )
      }
  })

  test('a change makes a new version of the policy', async () => {
    const before = (await readPolicy(stage.db, ZONE))!.row.version
    const answer = await stage.call('PATCH', `/zones/${ZONE}`, {
      upstream: 'http://127.0.0.1:9000',
    })
    expect(answer.json.result).toMatchObject({ upstream: 'http://127.0.0.1:9000', paused: false })
    const after = await readPolicy(stage.db, ZONE)
    expect(after?.row.version).toBe(before + 1)
    expect(after?.parts.zone).toMatchObject({ upstream: 'http://127.0.0.1:9000' })
    await stage.call('PATCH', `/zones/${ZONE}`, { upstream: 'http://127.0.0.1:9000' })
    expect((await readPolicy(stage.db, ZONE))?.row.version).toBe(before + 1)
  })

  test('a deleted one leaves nothing behind but the audit log', async () => {
    const made = await stage.call('POST', '/zones', {
      name: 'gone.example',
      account: { id: ACCOUNT },
    })
    const id = String(made.json.result['id'])
    expect((await stage.call('DELETE', `/zones/${id}`)).json.result).toEqual({ id })
    expect(await readPolicy(stage.db, id)).toBeUndefined()
    const lines = await stage.db
      .selectFrom('audit_log')
      .select('action')
      .where('zone_id', '=', id)
      .orderBy('at')
      .execute()
    expect(lines.map(({ action }) => action).toSorted()).toEqual(['create', 'delete'])
    expect((await stage.call('GET', `/zones/${id}`)).status).toBe(404)
  })
})
