import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/management/index.js'
import { createServerGate } from '../../../src/node/gate-server.js'
import { followZones, NO_ZONE } from '../../../src/node/serve/follow-zones.js'
import { postgresDialect } from '../../../src/node/store/postgres/index.js'
import { judged } from '../../management/contract.js'
import { postgres, useDatabases } from '../../management/databases.js'
import { ADMIN, BASE, createZoneStage, ZONE, type Stage } from '../../management/stage.js'

const RULES = `/zones/${ZONE}/token_validation/rules`
const NEVER_MS = 2 ** 31 - 1

/** Nobody looks at the database by himself: what is heard was announced. */
const never = () => () => {}

let address: string
let admin: pg.Client
let stages: readonly Stage[]
useDatabases(postgres)

beforeEach(async () => {
  address = await postgres.address()
  admin = new pg.Client({ connectionString: address })
  await admin.connect()
  const open = async () =>
    createZoneStage(await openDatabase(postgresDialect(address)), { every: never })
  stages = [await open(), await open()]
})
afterEach(async () => {
  for (const { management, close, faults } of stages) {
    management.close()
    await close()
    expect(faults).toEqual([])
  }
  await admin.end()
})

const save = async (stage: Stage) => {
  const { status } = await stage.call('POST', RULES, { action: 'log', expression: 'ssl' })
  expect(status).toBe(200)
}

/** The backends that listen, in this database. */
async function listening(): Promise<readonly number[]> {
  const text = `select pid from pg_stat_activity
    where datname = current_database() and query ilike 'listen%'`
  const { rows } = await admin.query<{ pid: number }>(text)
  return rows.map(({ pid }) => pid)
}

const untilListening = (count: number) =>
  expect.poll(listening, { timeout: 20_000 }).toHaveLength(count)

describe('processes over one Postgres, which do not look by themselves', () => {
  test('hear of a change of another one in their streams of events', async () => {
    const [one, other] = stages as [Stage, Stage]
    const response = await judged(other.management.fetch)(
      new Request(`${BASE}/zones/${ZONE}/gate/events`, {
        headers: { authorization: `Bearer ${ADMIN}` },
      }),
    )
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let heard = ''
    const until = async (event: string) => {
      while (!heard.includes(event)) heard += (await reader.read()).value ?? ''
    }
    await until('id: 1\n')
    await untilListening(1)
    await save(one)
    await until('id: 2\n')
    await reader.cancel()
    await untilListening(0)
  })

  test('follow it with their gates', async () => {
    const [one, other] = stages as [Stage, Stage]
    const gate = createServerGate(NO_ZONE)
    const put = async (policy: object) => gate.replace(policy)
    const follower = followZones(other.management, { put, onEvent() {}, pollMs: NEVER_MS })
    await untilListening(1)
    await one.call('PATCH', `/zones/${ZONE}`, { upstream: 'http://127.0.0.1:9' })
    await expect.poll(() => gate.zones.map(({ id }) => id), { timeout: 20_000 }).toEqual([ZONE])
    await follower.stop()
  })

  test('hear of it again after the connection that listens was cut', async () => {
    const [one, other] = stages as [Stage, Stage]
    const heard: number[] = []
    other.management.onPolicy((_, version) => heard.push(version))
    for (const version of [2, 3, 4]) {
      await untilListening(1)
      const [pid] = await listening()
      await admin.query('select pg_terminate_backend($1)', [pid])
      await expect.poll(listening, { timeout: 20_000 }).not.toContain(pid)
      await save(one)
      await expect.poll(() => heard.at(-1), { timeout: 20_000 }).toBe(version)
    }
    expect(heard).toEqual([2, 3, 4])
  })

  test('hear nothing of what they did themselves, nor of a change that was refused', async () => {
    const [one, other] = stages as [Stage, Stage]
    let heard = 0
    const begun = new Promise<void>((resolve) => {
      other.management.onAnnouncement(() => {
        heard++
        resolve()
      })
    })
    // Once it listens it is told so: what was announced before, it has not heard.
    await begun
    await save(other)
    await one.call('POST', RULES, { action: 'log', expression: 'nope' })
    await one.call('PATCH', `/zones/${ZONE}`, { paused: false })
    expect(heard).toBe(1)
    await save(one)
    await expect.poll(() => heard, { timeout: 20_000 }).toBe(2)
  })

  test('leave no connection behind', async () => {
    const db = await openDatabase(postgresDialect(address))
    const stage = await createZoneStage(db, { every: never })
    stage.management.onAnnouncement(() => {})
    await untilListening(1)
    await stage.close()
    await untilListening(0)
  })
})
