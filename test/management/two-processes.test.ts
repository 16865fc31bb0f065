import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase, type StoreDialect } from '../../src/management/index.js'
import { sqliteDialect } from '../../src/node/store/index.js'
import { postgresDialect } from '../../src/node/store/postgres/index.js'
import { dice } from '../node/serve/crash/ledger.js'
import { disagreements, rowsOf } from '../node/serve/crash/look.js'
import { postgres } from './databases.js'
import { ACCOUNT, createZoneStage, ZONE, type Stage } from './stage.js'

const RULES = `/zones/${ZONE}/token_validation/rules`
const OPERATIONS = `/zones/${ZONE}/api_gateway/operations`
const WRITERS = 6
const CALLS = 12

const folder = mkdtempSync(join(tmpdir(), 'portcullis-two-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const onSqlite = async () => {
  const file = join(folder, `${++files}.db`)
  return () => sqliteDialect(file)
}
const onPostgres = (isolation: string) => async () => {
  const address = await postgres.address()
  const db = await openDatabase(postgresDialect(address))
  const name = new URL(address).pathname.slice(1)
  await sql`alter database ${sql.ref(name)} set default_transaction_isolation to ${sql.lit(isolation)}`.execute(
    db,
  )
  await db.destroy()
  return () => postgresDialect(address)
}

/** Two that write need not agree on the default of their database. */
const STORES: readonly (readonly [string, () => Promise<() => StoreDialect>])[] = [
  ['SQLite', onSqlite],
  ['Postgres', onPostgres('read committed')],
  ['a Postgres that is serializable by default', onPostgres('serializable')],
]

/** Two on one store. */
async function stagesOn(dialect: () => StoreDialect): Promise<readonly Stage[]> {
  const open = async () => createZoneStage(await openDatabase(dialect()))
  return [await open(), await open()]
}

/** Makes rules and operations, changes, moves and deletes its own; gives the answers' status. */
async function write(
  { call }: Stage,
  random: () => number,
  name: string,
): Promise<readonly number[]> {
  const own: { readonly path: string; readonly rule: boolean }[] = []
  const statuses: number[] = []
  for (let at = 0; at < CALLS; at++) {
    const roll = random()
    const each = own[Math.floor(random() * own.length)]
    const position = { index: 1 + Math.floor(random() * 3) }
    if (each === undefined || roll < 0.5) {
      const rule = random() < 0.6
      const made = rule
        ? await call('POST', RULES, { action: 'log', expression: 'ssl', position })
        : await call('POST', `${OPERATIONS}/item`, {
            method: 'GET',
            host: 'example.com',
            endpoint: `/${name}-${at}`,
          })
      const { id, operation_id } = made.json.result
      const path = `${rule ? RULES : OPERATIONS}/${String(id ?? operation_id)}`
      own.push({ path, rule })
      statuses.push(made.status)
    } else if (each.rule && roll < 0.85) {
      const title = `${name}-${at}`
      statuses.push((await call('PATCH', each.path, { title, position })).status)
    } else {
      own.splice(own.indexOf(each), 1)
      statuses.push((await call('DELETE', each.path)).status)
    }
  }
  return statuses
}

describe.each(STORES)('two that change one zone at once, on %s', (_, place) => {
  test.each([1, 2, 3])(
    'lose nothing and stand in nobody’s way (dice %i)',
    async (seed) => {
      const stages = await stagesOn(await place())
      const random = dice(seed)
      const statuses = await Promise.all(
        stages.flatMap((stage, process) =>
          Array.from({ length: WRITERS }, (__, at) => write(stage, random, `${process}-${at}`)),
        ),
      )
      expect(new Set(statuses.flat())).toEqual(new Set([200]))
      const rows = await rowsOf(stages[0]!.db, ZONE)
      expect(disagreements(rows)).toEqual([])
      expect(rows.audit).toHaveLength(statuses.flat().length)
      expect(stages.flatMap(({ faults }) => faults)).toEqual([])
      for (const stage of stages) await stage.close()
    },
    60_000,
  )

  test.each([
    [
      'zone',
      `/zones/${ZONE}`,
      (at: number) => [{ paused: at % 2 === 0 }, { upstream: `http://${at}.example` }],
    ],
    [
      'account',
      `/accounts/${ACCOUNT}`,
      (at: number) => [{ name: `${at}` }, { type: at % 2 === 0 ? 'enterprise' : 'standard' }],
    ],
  ])('never undo what the other changes of the %s', async (_what, path, changesOf) => {
    const stages = await stagesOn(await place())
    for (let at = 0; at < CALLS; at++) {
      const changes = changesOf(at)
      await Promise.all(stages.map((stage, process) => stage.call('PATCH', path, changes[process])))
      const { json } = await stages[0]!.call('GET', path)
      expect(json.result).toMatchObject(Object.assign({}, ...changes))
    }
    for (const stage of stages) await stage.close()
  })
})
