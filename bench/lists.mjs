import { parseArgs } from 'node:util'
import { ACCOUNT, call, fill, ZONE } from './list-rows.mjs'
import { searches, TOKENS } from './list-searches.mjs'
import { databaseKinds } from './list-stores.mjs'
import { EFFORT } from './measure/effort.mjs'

const SIZES = EFFORT.smoke ? [100, 1000] : [1000, 100_000]
const CALLS = EFFORT.smoke ? 1 : 31
const CHANGES = EFFORT.smoke ? 1 : 5
const PER_PAGE = 20
/** A page of a long list may cost so many times what one of a short list does. */
const BOUND = 2
const { values } = parseArgs({ strict: false, options: { database: { type: 'string' } } })

async function tokensOf({ management }) {
  const tokens = {}
  for (const [name, { permissions, reach }] of Object.entries(TOKENS)) {
    const policy = {
      permission_groups: permissions.map((id) => ({ id })),
      resources: Object.fromEntries(reach.map((each) => [`com.cloudflare.api.${each}`, '*'])),
    }
    const { result } = await call(management, 'POST', '/user/tokens', { name, policies: [policy] })
    tokens[name] = result.value
  }
  return tokens
}

/**
 * Calls every store in turn, so often; gives in µs of each what an eighth of the calls takes at most:
 * what else the machine does is in the rest.
 */
async function timed(kind, subjects, many, between = () => {}) {
  const times = subjects.map(() => [])
  for (let at = 0; at < many; at++)
    for (const [index, { store, path, token }] of subjects.entries()) {
      await between(store, at)
      const [cpu, start] = [process.cpuUsage(), performance.now()]
      const { result, result_info } = await call(store.management, 'GET', path, undefined, token)
      const { user, system } = process.cpuUsage(cpu)
      // What Postgres computes is no CPU time of this process.
      times[index].push(kind === 'SQLite' ? user + system : (performance.now() - start) * 1000)
      const { page, per_page, total_pages } = result_info
      if (page < total_pages && result.length !== per_page) throw new Error(`${path}: rows lost`)
    }
  return times.map((all) => all.toSorted((a, b) => a - b)[many >> 3])
}

/**
 * Changes every list. Of the lists that take longest to change it is only noted that they have: what
 * a change of theirs costs itself is not looked at here.
 */
async function changeAll({ db, management }, at) {
  await db
    .updateTable('list_marks')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('list', 'not like', 'audit_log%')
    .execute()
  await call(management, 'PATCH', `/zones/${ZONE}`, { paused: at % 2 === 0 })
}

/** Of every search and size the first, middle and last page, and the first one after a change. */
async function measured(kind, stores) {
  const rows = []
  const lists = stores.map(({ size }) => searches(size))
  for (const [path, asked] of Object.entries(lists[0]))
    for (const [number, each] of asked.entries()) {
      const [search, whose] = each.split('|')
      const subjects = []
      for (const [index, store] of stores.entries()) {
        const at = `${path}?${lists[index][path][number].split('|')[0]}&per_page=${PER_PAGE}`
        const token = store.tokens[whose]
        const answer = await call(store.management, 'GET', at, undefined, token)
        const last = Math.max(1, answer.result_info.total_pages)
        const pages = [1, Math.ceil(last / 2), last].map((page) => `${at}&page=${page}`)
        subjects.push({ store, token, pages })
      }
      const pages = []
      for (const page of [0, 1, 2]) {
        const on = subjects.map((subject) => ({ ...subject, path: subject.pages[page] }))
        pages.push(await timed(kind, on, CALLS))
      }
      const first = subjects.map((subject) => ({ ...subject, path: subject.pages[0] }))
      const changed = await timed(kind, first, CHANGES, changeAll)
      rows.push(compared(kind, nameOf(path, search, whose), pages, changed))
    }
  return rows.toSorted((a, b) => b.ratio - a.ratio)
}

const nameOf = (path, search, whose) =>
  [path, search && `?${search}`, whose && ` (${whose})`]
    .filter(Boolean)
    .join('')
    .replaceAll(ZONE, ':zone')
    .replaceAll(ACCOUNT, ':account')
    .replaceAll(/0{8}-0000-4000-8000-\d{12}/g, ':id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, ':time')

/** What pages of long lists cost beside those of short ones, through the whole API. */
export async function run() {
  const { kinds, close } = await databaseKinds({ url: values.database, smoke: EFFORT.smoke })
  const all = []
  for (const { name, open } of kinds) {
    const stores = []
    for (const size of SIZES) {
      const store = await open(`lists_${size}`)
      const tokens = await tokensOf(store)
      await fill(store, size)
      await store.settle()
      stores.push({ ...store, size, tokens })
    }
    const rows = await measured(name, stores)
    for (const { db } of stores) await db.destroy()
    print(name, rows)
    all.push(...rows)
  }
  await close()
  return { rows: all }
}

/** A search as it is told: that of its pages whose cost grows most. */
function compared(database, name, pages, [changedShort, changedLong]) {
  const ratios = pages.map(([short, long]) => long / short)
  const ratio = Math.max(...ratios)
  const worst = ratios.indexOf(ratio)
  const [short_us, long_us] = pages[worst]
  return {
    group: database,
    name,
    page: ['first', 'middle', 'last'][worst],
    short_us,
    long_us,
    ratio,
    changed_short_us: changedShort,
    changed_long_us: changedLong,
    changed_ratio: changedLong / changedShort,
  }
}

function print(database, rows) {
  const ms = (us) => (us / 1000).toFixed(2).padStart(8)
  const times = (ratio) => `${ratio.toFixed(1)}x`.padStart(7)
  const over = (name) => rows.filter((row) => row[name] > BOUND).length
  console.log(`\nlists on ${database}, ms a page at ${SIZES.join(' and ')} rows`)
  console.log(`${''.padEnd(72)}${'the worst page'.padStart(23)}${'after a change'.padStart(23)}`)
  for (const row of rows) {
    const page = ms(row.short_us) + ms(row.long_us) + times(row.ratio)
    const changed = ms(row.changed_short_us) + ms(row.changed_long_us) + times(row.changed_ratio)
    console.log(row.name.padEnd(72) + page + changed)
  }
  console.log(
    `of ${rows.length}, above ${BOUND}x: ${over('ratio')}; after a change ${over('changed_ratio')}`,
  )
}
