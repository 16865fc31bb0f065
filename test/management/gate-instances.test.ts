import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createZoneStage, ZONE, type Stage } from './stage.js'

const PATH = `/zones/${ZONE}/gate/instances`
const HASH = 'a'.repeat(64)
const report = {
  instance: 'gate-1:8080',
  version: 3,
  hash: HASH,
  started_at: '2026-01-31T11:00:00.000Z',
}
const refused = {
  version: 4,
  code: 'unknown_field',
  message: 'there is no such field',
  pointer: '/rules/0/expression',
}

let stage: Stage
beforeAll(async () => {
  stage = await createZoneStage()
})
afterAll(() => stage.close())

const list = async () => (await stage.call('GET', PATH)).json.list

describe('the gates of a zone', () => {
  test('tell what they run, what they refused, and are silent after a minute', async () => {
    const gate = await stage.token(['gate'], `zone:${ZONE}`)
    const made = await stage.call('POST', PATH, report, { token: gate })
    const shown = {
      ...report,
      state: 'running',
      refused: null,
      started_at: '2026-01-31T11:00:00.000000Z',
      last_seen: '2026-01-31T12:00:00.000000Z',
    }
    expect([made.status, made.json.result]).toEqual([200, shown])
    stage.clock += 59_000
    expect(await list()).toEqual([shown])
    stage.clock += 2000
    expect(await list()).toEqual([{ ...shown, state: 'silent' }])
    await stage.call('POST', PATH, { ...report, refused })
    await stage.call('POST', PATH, { ...report, instance: 'gate-0' })
    expect(await list()).toMatchObject([
      { instance: 'gate-0', refused: null },
      { instance: 'gate-1:8080', state: 'running', refused },
    ])
    await stage.call('POST', PATH, report)
    expect((await list())[1]).toMatchObject({ refused: null })
  })

  test('are forgotten after a day without a word', async () => {
    await stage.call('POST', PATH, { ...report, instance: 'old' })
    stage.clock += 86_400_001
    await stage.call('POST', PATH, { ...report, instance: 'new' })
    expect((await list()).map(({ instance }) => instance)).toEqual(['new'])
  })

  test('are listed page by page', async () => {
    for (const instance of ['a', 'b', 'c']) await stage.call('POST', PATH, { ...report, instance })
    const { json } = await stage.call('GET', `${PATH}?page=2&per_page=2`)
    expect(json.result_info).toMatchObject({ count: 2, page: 2, total_count: 4, total_pages: 2 })
    expect(json.list.map(({ instance }) => instance)).toEqual(['c', 'new'])
    expect((await stage.call('GET', `${PATH}?page=3&per_page=2`)).json.result).toEqual([])
  })

  test('are at most 1,000: of more the longest silent is forgotten', async () => {
    const zone = await createZoneStage()
    const tell = (instance: string) => zone.call('POST', PATH, { ...report, instance })
    for (const instance of ['second', 'first']) {
      await tell(instance)
      zone.clock += 1
    }
    await tell('second')
    for (let at = 0; at < 999; at++) await tell(`gate-${at}`)
    const { json } = await zone.call('GET', `${PATH}?per_page=1000`)
    const names = json.list.map(({ instance }) => instance)
    expect([names.length, names.includes('first'), names.includes('second')]).toEqual([
      1000,
      false,
      true,
    ])
    await zone.close()
  })

  test.each<[object, string]>([
    [{ ...report, instance: '' }, '/instance'],
    [{ ...report, instance: 'x'.repeat(121) }, '/instance'],
    [{ ...report, version: -1 }, '/version'],
    [{ ...report, version: 1.5 }, '/version'],
    [{ ...report, hash: 'x'.repeat(65) }, '/hash'],
    [{ ...report, started_at: 'yesterday' }, '/started_at'],
    [{ ...report, started_at: '9999-01-01T00:00:00Z' }, '/started_at'],
    [{ ...report, refused: { ...refused, code: 1 } }, '/refused/code'],
    [{ ...report, refused: { version: 1 } }, '/refused/code'],
  ])('%j is no report', async (body, pointer) => {
    const { status, json } = await stage.call('POST', PATH, body)
    expect(status).toBe(400)
    expect(json.errors[0]?.source).toEqual({ pointer })
  })

  test.each([
    [null, 401],
    ['token_validation:edit', 403],
    ['gate', 200],
  ])('with the permission %s: %i', async (permission, status) => {
    const token = permission && (await stage.token([permission]))
    expect((await stage.call('GET', PATH, undefined, { token })).status).toBe(status)
    expect((await stage.call('POST', PATH, report, { token })).status).toBe(status)
  })
})
