import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createManagement, createSealer, openDatabase } from '../../src/management/index.js'
import { sqliteDialect } from '../../src/node/store/index.js'
import { judged } from './contract.js'
import { ACCOUNT, ADMIN, BASE, createZoneStage, ZONE, type Stage } from './stage.js'

const RULES = `/zones/${ZONE}/token_validation/rules`
const OTHER = 'f'.repeat(32)

let folder: string
let stage: Stage
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portcullis-events-'))
  stage = await createZoneStage(await openDatabase(sqliteDialect(join(folder, 'a.db'))))
})
afterEach(async () => {
  stage.management.close()
  await stage.close()
  rmSync(folder, { recursive: true, force: true })
  expect(stage.faults).toEqual([])
})

const save = (zone = ZONE) =>
  stage.call('POST', RULES.replace(ZONE, zone), { action: 'log', expression: 'ssl' })

interface Listening {
  readonly response: Response
  /** The next event, comments left out; undefined at the end. */
  next(): Promise<
    { readonly id: string; readonly version: number; readonly hash: string } | undefined
  >
  cancel(): Promise<void>
}

async function listen(headers: Record<string, string> = {}, zone = ZONE): Promise<Listening> {
  const request = new Request(`${BASE}/zones/${zone}/gate/events`, {
    headers: { authorization: `Bearer ${ADMIN}`, ...headers },
  })
  const response = await judged(stage.management.fetch)(request)
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    response,
    async next() {
      for (;;) {
        const at = text.indexOf('\n\n')
        if (at < 0) {
          const { done, value } = await reader.read()
          if (done) return undefined
          text += decoder.decode(value, { stream: true })
          continue
        }
        const event = /^event: policy\nid: (.*)\ndata: (.*)$/.exec(text.slice(0, at))
        text = text.slice(at + 2)
        if (event) return { id: event[1]!, ...JSON.parse(event[2]!) }
      }
    },
    cancel: () => reader.cancel(),
  }
}

describe('the events for gates', () => {
  test('begin with the version in force, and tell each new one', async () => {
    const events = await listen()
    expect(events.response.headers.get('content-type')).toBe('text/event-stream')
    const newest = () => stage.management.policy(ZONE)
    for (let round = 0; round < 3; round++) {
      const { version, hash } = (await newest())!
      expect(await events.next()).toEqual({ id: String(version), version, hash })
      await save()
    }
    await events.cancel()
  })

  test('are those of the zone alone, and nothing is told twice', async () => {
    await stage.call('POST', '/zones', { id: OTHER, name: 'b.example', account: { id: ACCOUNT } })
    const events = await listen()
    await events.next()
    await save(OTHER)
    await stage.call('PATCH', `/zones/${ZONE}`, { paused: false })
    await save()
    const { version } = (await stage.management.policy(ZONE))!
    expect(await events.next()).toMatchObject({ version })
    await events.cancel()
  })

  test('go on after the last event that a gate has heard', async () => {
    const { version } = (await stage.management.policy(ZONE))!
    const events = await listen({ 'last-event-id': String(version) })
    await save()
    expect(await events.next()).toMatchObject({ version: version + 1 })
    const behind = await listen({ 'last-event-id': String(version) })
    expect(await behind.next()).toMatchObject({ version: version + 1 })
    const odd = await listen({ 'last-event-id': 'nonsense' })
    expect(await odd.next()).toMatchObject({ version: version + 1 })
  })

  test('end when the zone is gone, and when management closes', async () => {
    const events = await listen()
    await events.next()
    await stage.call('DELETE', `/zones/${ZONE}`)
    expect(await events.next()).toBeUndefined()
    await stage.call('POST', '/zones', { id: ZONE, name: 'example.com', account: { id: ACCOUNT } })
    const more = await listen()
    await more.next()
    stage.management.close()
    expect(await more.next()).toBeUndefined()
  })

  test.each([
    ['without a token', null, 401],
    ['with another permission', 'token_validation:read', 403],
    ['with the permission', 'gate', 200],
  ])('%s', async (_, permission, expected) => {
    const token = permission && (await stage.token([permission]))
    const events = await listen({ authorization: token ? `Bearer ${token}` : '' })
    expect(events.response.status).toBe(expected)
    await events.cancel()
  })

  test('of a change made by another process come within about a second', async () => {
    const db = await openDatabase(sqliteDialect(join(folder, 'a.db')))
    const random = (bytes: number) => new Uint8Array(randomBytes(bytes))
    const other = createManagement({
      db,
      sealer: await createSealer([random(32)], random),
      now: Date.now,
      newId: () => crypto.randomUUID(),
      random,
    })
    const events = await listen()
    const before = (await events.next())!
    const response = await judged(other.fetch)(
      new Request(BASE + RULES, {
        method: 'POST',
        headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ action: 'log', expression: 'ssl' }),
      }),
    )
    expect(response.status).toBe(200)
    expect(await events.next()).toMatchObject({ version: before.version + 1 })
    await events.cancel()
    await db.destroy()
  })

  test('onPolicy hears of a change once it can be read, and a listener that throws hurts nobody', async () => {
    const heard: (readonly [string, number, boolean])[] = []
    const readings: Promise<unknown>[] = []
    const end = stage.management.onPolicy((zone, version) => {
      const reading = stage.management.policy(zone, version)
      readings.push(reading.then((policy) => heard.push([zone, version, policy !== undefined])))
    })
    const endOther = stage.management.onPolicy(() => {
      throw new Error('a listener breaks')
    })
    const { version } = (await stage.management.policy(ZONE))!
    expect((await save()).status).toBe(200)
    endOther()
    expect(stage.faults.splice(0)).toHaveLength(1)
    await stage.call('DELETE', `/zones/${ZONE}`)
    end()
    await Promise.all(readings)
    expect(heard).toEqual([
      [ZONE, version + 1, true],
      [ZONE, 0, false],
    ])
  })

  test('a refused change is not announced', async () => {
    const heard: number[] = []
    const end = stage.management.onPolicy((_, version) => heard.push(version))
    await stage.call('POST', RULES, { action: 'log', expression: 'nope' })
    await stage.call('PATCH', `/zones/${ZONE}`, { paused: false })
    end()
    expect(heard).toEqual([])
  })
})

describe('the versions of a policy', () => {
  test('are all kept, the newest first, page by page', async () => {
    await save()
    await save()
    const { json } = await stage.call('GET', `/zones/${ZONE}/gate/versions?per_page=2`)
    const policy = await stage.management.policy(ZONE)
    expect(json.list.map(({ version, in_force }) => [version, in_force])).toEqual([
      [3, true],
      [2, false],
    ])
    expect(json.list[0]).toMatchObject({ hash: policy?.hash, actor_id: expect.any(String) })
    expect(json.result_info).toMatchObject({ total_count: 3, total_pages: 2 })
    expect((await stage.call('GET', `/zones/${ZONE}/gate/versions?page=9`)).json.list).toEqual([])
  })
})
