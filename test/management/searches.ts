import fc from 'fast-check'
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../src/management/store/index.js'
import { ACCOUNT, ZONE, type Answer } from './stage.js'

/** Accounts beside the first. */
export const OTHERS: readonly string[] = ['b'.repeat(32), 'c'.repeat(32)]

type Sql = RawBuilder<unknown>
/** A part of a query, and what it means. */
type Choice = readonly [query: string, meaning: Sql]

interface ListOfRows {
  readonly path: string
  readonly table: string
  /** Which rows are in it. */
  readonly base?: Sql
  readonly id?: string
  /** Each list is narrowed by one choice of each, or by none. */
  readonly narrowed: readonly (readonly Choice[])[]
  readonly orders?: readonly Choice[]
  readonly order: Sql
  readonly directions: readonly ('' | 'asc' | 'desc')[]
  readonly first: 'asc' | 'desc'
  /** Callers by the name of their token, and what they see. */
  readonly callers?: readonly Choice[]
}

const ways = { directions: ['', 'asc', 'desc'], first: 'asc' } as const
const inZone = sql`zone_id = ${ZONE}`
const byTime = sql`at WAY, id WAY`
const seenByOne = sql`(name = 'of an account' or (name like 'of zone %' and exists
  (select 1 from zones where account_id = ${ACCOUNT} and zones.id = substr(api_tokens.name, 9))))`

const LINES = {
  table: 'audit_log',
  order: byTime,
  directions: ['', 'asc', 'desc'],
  first: 'desc',
  narrowed: [
    [
      ['actor=first', sql`(actor_id = 'first' or actor_name = 'first')`],
      ['actor.email=of%20an%20account', sql`actor_name = 'of an account'`],
    ],
    [
      ['action=create', sql`action = 'create'`],
      ['action.type=update', sql`action = 'update'`],
    ],
    [
      ['object_type=rule', sql`object_type = 'rule'`],
      ['object_type=account', sql`object_type = 'account'`],
      [`object_id=${ZONE}`, sql`object_id = ${ZONE}`],
      ['request_id=none', sql`false`],
    ],
    [
      [`zone_id=${ZONE}`, inZone],
      ['zone.name=Example.com', inZone],
      ['zone.name=none.example', sql`false`],
    ],
    [
      ['since=2026-01-31T12:00:20Z', sql`at >= ${Date.UTC(2026, 0, 31, 12, 0, 20) * 1000}`],
      ['until=2026-01-31T12:00:40Z', sql`at < ${Date.UTC(2026, 0, 31, 12, 0, 40) * 1000}`],
      ['before=2026-01-31T12:01:00Z', sql`at < ${Date.UTC(2026, 0, 31, 12, 1) * 1000}`],
    ],
  ],
} as const satisfies Omit<ListOfRows, 'path'>

const LISTS: readonly ListOfRows[] = [
  {
    ...ways,
    path: `/zones/${ZONE}/api_gateway/operations`,
    table: 'operations',
    base: inZone,
    id: 'operation_id',
    order: sql`created_at WAY, id WAY`,
    orders: ['method', 'host', 'endpoint'].map((name) => [
      `order=${name}`,
      sql`${sql.ref(name)} WAY, created_at WAY, id WAY`,
    ]),
    narrowed: [
      [
        ['host=h1.example.com', sql`host = 'h1.example.com'`],
        [
          'host=H2.example.com&host=h3.example.com',
          sql`host in ('h2.example.com', 'h3.example.com')`,
        ],
      ],
      [['method=get', sql`method = 'GET'`]],
      [
        ['endpoint=7', sql`endpoint like '%7%'`],
        ['endpoint=%2Fp12', sql`endpoint like '%/p12%'`],
      ],
    ],
  },
  {
    ...ways,
    path: `/zones/${ZONE}/token_validation/rules`,
    table: 'rules',
    base: inZone,
    directions: [''],
    order: sql`position WAY, id WAY`,
    narrowed: [
      [['action=block', sql`action = 'block'`]],
      [['enabled=false', sql`enabled = 0`]],
      [['host=h1.example.com', sql`selector like '%h1.example.com%'`]],
    ],
  },
  { ...LINES, path: `/zones/${ZONE}/audit_log`, base: inZone },
  { ...LINES, path: `/accounts/${ACCOUNT}/audit_logs`, base: sql`account_id = ${ACCOUNT}` },
  { ...LINES, path: '/audit_log' },
  {
    ...ways,
    path: '/accounts',
    table: 'accounts',
    order: sql`name WAY, id WAY`,
    narrowed: [[['name=B', sql`name = 'B'`]]],
    callers: [['of some', sql`id in (${sql.join(OTHERS)})`]],
  },
  {
    ...ways,
    path: '/zones',
    table: 'zones',
    order: sql`name WAY, id WAY`,
    orders: [
      ['order=account.id', sql`account_id WAY, name WAY, id WAY`],
      [
        'order=account.name',
        sql`(select name from accounts where accounts.id = account_id) WAY, name WAY, id WAY`,
      ],
      ['order=plan.id', sql`plan WAY, name WAY, id WAY`],
      ['order=status', sql`name WAY, id WAY`],
    ],
    narrowed: [
      [['name=Z3.example', sql`name = 'z3.example'`]],
      [
        [`account.id=${OTHERS[0]}`, sql`account_id = ${OTHERS[0]}`],
        ['account.name=B', sql`account_id in (select id from accounts where name = 'B')`],
      ],
      [
        ['status=active', sql`true`],
        ['status=pending', sql`false`],
      ],
    ],
    callers: [
      ['of an account', sql`account_id = ${ACCOUNT}`],
      ['of some', sql`(account_id in (${sql.join(OTHERS)}) or id = ${ZONE})`],
    ],
  },
  {
    ...ways,
    path: '/user/tokens',
    table: 'api_tokens',
    order: sql`created_at WAY, id WAY`,
    narrowed: [[['include_expired=false', sql`(expires_at is null or expires_at > NOW)`]]],
    callers: [['of an account', seenByOne]],
  },
]

/** What is asked, and what the right answer is made of. */
export interface Asked {
  readonly list: ListOfRows
  readonly query: string
  readonly where: readonly Sql[]
  readonly order: Sql
  readonly way: 'asc' | 'desc'
  readonly caller: Choice | undefined
  readonly page: number
  readonly per_page: number
}

const oneOrNone = (choices: readonly Choice[]): fc.Arbitrary<Choice | undefined> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...choices) },
  )

/** Any page of any list, however it is narrowed and ordered and whoever asks. */
export const searches: fc.Arbitrary<Asked> = fc.constantFrom(...LISTS).chain((list) =>
  fc
    .record({
      narrowed: fc.tuple(...list.narrowed.map(oneOrNone)),
      order: list.orders === undefined ? fc.constant(undefined) : oneOrNone(list.orders),
      caller: list.callers === undefined ? fc.constant(undefined) : oneOrNone(list.callers),
      direction: fc.constantFrom(...list.directions),
      page: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 120 })),
      per_page: fc.constantFrom(1, 7, 20, 500),
    })
    .map(({ narrowed, order, caller, direction, page, per_page }) => ({
      list,
      query: [
        ...[...narrowed, order].flatMap((choice) => (choice === undefined ? [] : [choice[0]])),
        ...(direction === '' ? [] : [`direction=${direction}`]),
        `page=${page}&per_page=${per_page}`,
      ].join('&'),
      where: narrowed.flatMap((choice) => (choice === undefined ? [] : [choice[1]])),
      order: order?.[1] ?? list.order,
      way: direction === '' ? list.first : direction,
      caller,
      page,
      per_page,
    })),
)

/** The right answer, by walking through all rows. `now` in epoch µs. */
export async function walked(db: Database, asked: Asked, now: number): Promise<unknown> {
  const { list, where, caller, page, per_page } = asked
  const base = [list.base, caller?.[1]].filter((condition) => condition !== undefined)
  const rows = async (conditions: readonly Sql[], rest = sql``) => {
    const all = sql.join([sql`true`, ...conditions], sql` and `)
    const query = sql`select id from ${sql.table(list.table)} where ${all} ${rest}`.compile(db)
    const text = query.sql.replaceAll('WAY', asked.way).replaceAll('NOW', String(now))
    const found = await db.executeQuery<{ id: string }>({ ...query, sql: text })
    return found.rows.map(({ id }) => id)
  }
  const found = await rows([...base, ...where], sql`order by ${asked.order}`)
  const ids = found.slice((page - 1) * per_page, page * per_page)
  const total_pages = Math.ceil(found.length / per_page)
  const total_count = (await rows(base)).length
  return { ids, info: { count: ids.length, page, per_page, total_count, total_pages } }
}

/** The same of an answer. */
export const answered = ({ json }: Answer, { list }: Asked): unknown => ({
  ids: json.list.map((item) => item[list.id ?? 'id']),
  info: json.result_info,
})
