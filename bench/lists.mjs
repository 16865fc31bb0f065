import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const SMOKE = process.env.BENCH_ROUNDS === '1'
const SIZES = SMOKE ? [100, 1000] : [1000, 100_000]
const CALLS = SMOKE ? 3 : 60
const BASE = 'http://localhost/client/v4'
const ZONE = '0'.repeat(31) + '1'
const ACCOUNT = 'a'.repeat(32)
const PER_PAGE = 20
const { values } = parseArgs({ strict: false, options: { database: { type: 'string' } } })

/** Lists, and what they are narrowed and ordered by. Pages are asked for by where they lie. */
const LISTS = [
  [`/zones/${ZONE}/api_gateway/operations`, '', 'direction=desc'],
  [`/zones/${ZONE}/audit_log`, '', 'since=2020-01-01&until=2100-01-01'],
  [`/accounts/${ACCOUNT}/audit_logs`, ''],
  ['/audit_log', ''],
  [`/zones/${ZONE}/gate/versions`, ''],
  ['/accounts', ''],
  ['/zones', '', 'direction=desc'],
  ['/user/tokens', ''],
]
/** Not found by marks: each match is counted and passed over. */
const NARROWED = [
  [
    `/zones/${ZONE}/api_gateway/operations`,
    'host=h7.example.com',
    'method=GET',
    'endpoint=7',
    'feature=thresholds',
    'order=host',
  ],
  [`/zones/${ZONE}/audit_log`, 'actor=command-line', 'action=create'],
]

/** A store with so many rows in every list, made through the API and, where that is slow, beside it. */
async function fill(db, management, size) {
  async function post(path, body) {
    const headers = { 'content-type': 'application/json' }
    const request = new Request(BASE + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const response = await management.fetchAsOwner(request)
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  }
  await post('/accounts', { id: ACCOUNT, name: 'bench' })
  await post('/zones', { id: ZONE, name: 'example.com', account: { id: ACCOUNT } })
  // Every operation is a line of the audit log as well.
  for (let from = 0; from < size; from += 5000)
    await post(
      `/zones/${ZONE}/api_gateway/operations`,
      Array.from({ length: Math.min(5000, size - from) }, (_, at) => ({
        method: ['GET', 'POST', 'PUT', 'DELETE'][at % 4],
        host: `h${at % 100}.example.com`,
        endpoint: `/v${from + at}/{id}`,
      })),
    )
  await fillBeside(db, size)
}

const padded = (number, digits) => String(number).padStart(digits, '0')

/** Rows of lists that grow by one a call, and their marks as the store would make them. */
async function fillBeside(db, size) {
  const id = (at) => padded(at, 32)
  const times = (at) => ({ created_at: 1e15 + at, updated_at: 1e15 })
  const made = {
    accounts: (at) => ({ id: id(at), name: `b ${padded(at, 6)}`, type: 'standard', ...times(at) }),
    zones: (at) => ({
      id: id(at + 2),
      account_id: ACCOUNT,
      name: `z${padded(at, 6)}.example.com`,
      type: 'full',
      paused: 0,
      upstream: null,
      settings: '{}',
      lists: '{}',
      policy_version: 0,
      operation_count: 0,
      rule_count: 0,
      ...times(at),
    }),
    api_tokens: (at) => ({
      id: id(at),
      name: 'token',
      hash: id(at),
      lookup: id(at).slice(0, 8),
      policies: '[]',
      status: 'active',
      ...times(at),
    }),
    policy_versions: (at) => ({
      zone_id: ZONE,
      version: at + 1000,
      hash: id(at),
      parts: '{}',
      actor_id: 'x',
      created_at: 1,
    }),
  }
  await db.deleteFrom('policy_versions').execute()
  for (const [table, make] of Object.entries(made)) {
    const rows = Array.from({ length: size }, (_, at) => make(at))
    for (let at = 0; at < size; at += 500)
      await db
        .insertInto(table)
        .values(rows.slice(at, at + 500))
        .execute()
    const keys = rows.map(({ name, created_at }) =>
      table === 'api_tokens' ? padded(created_at, 16) : name,
    )
    if (table !== 'policy_versions')
      await mark(db, table === 'zones' ? ['zones', `zones account_id ${ACCOUNT}`] : [table], keys)
  }
}

async function mark(db, lists, keys) {
  for (const list of lists) {
    for (let at = 0; at < keys.length; at += 1000) {
      const n = Math.min(1000, keys.length - at)
      await db
        .insertInto('list_marks')
        .values({ list, start: keys[at], n })
        .onConflict((conflict) => conflict.columns(['list', 'start']).doUpdateSet({ n }))
        .execute()
    }
  }
}

/** Median CPU µs of a call, and what the answer says of itself. */
async function timed(management, path) {
  const times = []
  let info
  for (let at = 0; at < CALLS; at++) {
    const before = process.cpuUsage()
    const start = performance.now()
    const response = await management.fetchAsOwner(new Request(BASE + path))
    const { result, result_info } = await response.json()
    const { user, system } = process.cpuUsage(before)
    times.push({ cpu: user + system, wall: (performance.now() - start) * 1000 })
    info = result_info
    if (result.length > PER_PAGE) throw new Error(`${path}: too many rows`)
  }
  const median = (name) => times.map((time) => time[name]).toSorted((a, b) => a - b)[CALLS >> 1]
  // What Postgres computes is no CPU time of this process.
  return { us: values.database === undefined ? median('cpu') : median('wall'), info }
}

async function measured(management) {
  const rows = new Map()
  for (const [path, ...searches] of [...LISTS, ...NARROWED])
    for (const search of searches) {
      const at = (page) => `${path}?${search}&per_page=${PER_PAGE}&page=${page}`
      const { info } = await timed(management, at(1))
      const last = Math.max(1, info.total_pages)
      for (const [where, page] of Object.entries({
        first: 1,
        middle: Math.ceil(last / 2),
        last,
      })) {
        const name = `${path.replace(ZONE, ':zone').replace(ACCOUNT, ':account')}?${search} ${where}`
        rows.set(name, (await timed(management, at(page))).us)
      }
    }
  return rows
}

async function openStore(folder, size) {
  const { createManagement, createSealer, openDatabase } = await import('portcullis/management')
  const { postgresDialect, sqliteDialect } = await import('portcullis/node')
  const random = (bytes) => new Uint8Array(randomBytes(bytes))
  let dialect = sqliteDialect(join(folder, `${size}.db`))
  if (values.database !== undefined) {
    const { default: pg } = await import('pg')
    const admin = new pg.Client({ connectionString: values.database })
    const name = `bench_${process.pid}_${size}`
    await admin.connect()
    await admin.query(`create database ${name}`)
    await admin.end()
    const address = new URL(values.database)
    address.pathname = `/${name}`
    dialect = postgresDialect(address.href)
  }
  const db = await openDatabase(dialect)
  const sealer = await createSealer([random(32)], random)
  const management = createManagement({ db, sealer, now: Date.now, newId: randomUUID, random })
  return { db, management }
}

/** What pages of long lists cost beside those of short ones, through the whole API. */
export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-bench-'))
  const columns = []
  for (const size of SIZES) {
    const { db, management } = await openStore(folder, size)
    await fill(db, management, size)
    columns.push(await measured(management))
    await db.destroy()
  }
  rmSync(folder, { recursive: true, force: true })
  const [short, long] = columns
  const rows = [...short].map(([name, us]) => ({
    name,
    short_us: us,
    long_us: long.get(name),
    ratio: Number((long.get(name) / us).toFixed(2)),
  }))
  console.log(`\nlists, µs a page at ${SIZES.join(' and ')} rows`)
  for (const { name, short_us, long_us, ratio } of rows)
    console.log(
      `${name.padEnd(78)} ${short_us.toFixed(0).padStart(7)} ${long_us.toFixed(0).padStart(8)} ${String(ratio).padStart(6)}x`,
    )
  return { title: 'lists', rows }
}
