import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  listPage,
  markAnew,
  rowsAdded,
  rowsRemoved,
  type Database,
  type Transaction,
} from '../../src/management/store/index.js'
import { postgres, sqlite, useDatabases } from './databases.js'

type Table = 'accounts' | 'audit_log'

/** A step in the life of a list. Keys are few, so that many rows share one. */
type Step =
  | { readonly kind: 'add'; readonly seed: number; readonly many: number; readonly spread: number }
  | { readonly kind: 'delete'; readonly seed: number; readonly many: number }
  | { readonly kind: 'anew' }

const seed = fc.integer({ min: 1, max: 1e6 })
const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('add' as const),
        seed,
        many: fc.integer({ min: 1, max: 1500 }),
        spread: fc.constantFrom(1, 3, 100, 100_000),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('delete' as const),
        seed,
        many: fc.integer({ min: 1, max: 900 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('anew' as const) }) },
  ),
  { minLength: 1, maxLength: 8 },
)
const pages = fc.array(
  fc.record({
    page: fc.integer({ min: 1, max: 300 }),
    per_page: fc.constantFrom(1, 7, 20, 50, 1000),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    since: fc.option(fc.integer({ min: -5, max: 100_000 }), { nil: undefined }),
    until: fc.option(fc.integer({ min: -5, max: 100_000 }), { nil: undefined }),
  }),
  { minLength: 5, maxLength: 15 },
)

/** Numbers that look random (Park and Miller). */
function* numbers(from: number): Generator<number, never> {
  for (let state = from; ;) yield (state = (state * 48271) % 2147483647)
}

const key = (table: Table): 'name' | 'at' => (table === 'accounts' ? 'name' : 'at')

const accountRow = (number: number, id: string) => ({
  id,
  name: `name ${number}`,
  type: 'standard',
  created_at: 1,
  updated_at: 1,
})
const auditRow = (number: number, id: string) => ({
  id,
  account_id: `account ${number % 3}`,
  zone_id: number % 2 === 0 ? null : 'zone',
  at: number,
  actor_id: '',
  actor_name: '',
  request_id: '',
  action: '',
  object_type: '',
  object_id: '',
  before: null,
  after: null,
})

async function take(tx: Transaction, table: Table, step: Step, serial: () => string) {
  if (step.kind === 'anew') return markAnew(tx, { table })
  const next = numbers(step.seed)
  if (step.kind === 'delete') {
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(table)} order by id limit ${step.many} offset ${step.seed % 50}
    `.execute(tx)
    const gone = await tx
      .deleteFrom(table)
      .where('id', 'in', ['', ...rows.map(({ id }) => id)])
      .returningAll()
      .execute()
    return rowsRemoved(tx, table, gone)
  }
  const make = table === 'accounts' ? accountRow : auditRow
  const rows = Array.from({ length: step.many }, () =>
    make(next.next().value % step.spread, `${next.next().value} ${serial()}`),
  )
  for (let at = 0; at < rows.length; at += 100)
    await tx
      .insertInto(table)
      .values(rows.slice(at, at + 100) as never)
      .execute()
  return rowsAdded(tx, table, rows)
}

type Asked = Parameters<typeof listPage>[2]

/** The same without marks. */
async function walked(db: Database, table: Table, asked: Asked, where = sql`true`) {
  const column = sql.ref(key(table))
  const way = sql.raw(asked.direction ?? 'asc')
  const since = asked.since === undefined ? sql`true` : sql`${column} >= ${asked.since}`
  const until = asked.until === undefined ? sql`true` : sql`${column} < ${asked.until}`
  const from = sql`from ${sql.table(table)} where ${where}`
  const items = await sql`
    select * ${from} and ${since} and ${until} order by ${column} ${way}, id ${way}
    limit ${asked.per_page} offset ${(asked.page - 1) * asked.per_page}
  `.execute(db)
  const found = await sql<{
    n: number
  }>`select count(*) as n ${from} and ${since} and ${until}`.execute(db)
  const total = await sql<{ n: number }>`select count(*) as n ${from}`.execute(db)
  return { items: items.rows, found: found.rows[0]!.n, total: total.rows[0]!.n }
}

describe.each([sqlite, postgres])('pages of marked lists on $name', (kind) => {
  let db: Database
  useDatabases(kind)
  beforeEach(async () => {
    db = await kind.fresh()
  })
  afterEach(async () => {
    for (const table of ['accounts', 'audit_log', 'list_marks'] as const)
      await db.deleteFrom(table).execute()
  })

  test.each<[Table, number]>([
    ['accounts', kind === sqlite ? 12 : 4],
    ['audit_log', kind === sqlite ? 20 : 6],
  ])(
    'of %s are those that one finds by walking',
    async (table, numRuns) => {
      let serial = 0
      await fc.assert(
        fc.asyncProperty(steps, pages, async (life, asked) => {
          await db.deleteFrom(table).execute()
          await db.deleteFrom('list_marks').execute()
          for (const step of life)
            await db.transaction().execute((tx) => take(tx, table, step, () => `${serial++}`))
          for (const { since, until, ...page } of asked) {
            const one = table === 'accounts' ? page : { ...page, since, until }
            expect(await listPage(db, { table }, one)).toEqual(await walked(db, table, one))
            if (table === 'accounts') continue
            const scope = { column: 'account_id', id: 'account 1' } as const
            const where = sql`account_id = 'account 1'`
            expect(await listPage(db, { table, scope }, one)).toEqual(
              await walked(db, table, one, where),
            )
          }
        }),
        { numRuns, seed: 7 },
      )
    },
    120_000,
  )

  test('writers that add at once lose no count', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, writer) =>
        db.transaction().execute(async (tx) => {
          const rows = Array.from({ length: 150 }, (__, at) =>
            auditRow(((writer * 37) % 20) * 3, `${writer} ${at}`),
          )
          await tx.insertInto('audit_log').values(rows).execute()
          await rowsAdded(tx, 'audit_log', rows)
        }),
      ),
    )
    for (const page of [1, 2, 3]) {
      const asked = { page, per_page: 1000, direction: 'desc' as const }
      expect(await listPage(db, { table: 'audit_log' }, asked)).toEqual(
        await walked(db, 'audit_log', asked),
      )
    }
  })
})
