import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findRuntimes } from '../test/runtimes/runtimes.mjs'
import { LESS, SMOKE } from './measure/effort.mjs'
import { figure } from './measure/figure.mjs'
import { isBound } from './page/is-bound.mjs'
import { machine, versions } from './page/machine.mjs'
import { jobsOf } from './jobs-of.mjs'
import { startSuite } from './start-suite.mjs'
import { SUITES } from './suites.mjs'
import { makePage, writePage } from './page/make-page.mjs'
import { readResults } from './page/read-results.mjs'

const HELP = `Usage: npm run bench -- [--only SUITE]… [--runtime ID]… [--smoke] [--json]

Measures beside peers in the same run and prints tables; CPU time per operation is what counts.
A run of everything writes bench/RESULTS.md and the plot beside it.

  --only SUITE    one of ${SUITES.map(({ name }) => name).join(', ')}
  --runtime ID    of test/runtimes, which has to be installed; default all that are. What runs on
                  one alone, the suite workerd too, runs on node
  --smoke         a few short rounds, on this runtime unless others are named: fails on wrong
                  results, whatever time they take
  --json          results as JSON on standard output, tables on standard error
  --out FILE      where the JSON goes in any case, default bench/results/*.json
  --database URL  lists: a Postgres server to make databases on, in place of one of its own
  --page FILE     measures nothing: writes the page anew from such a JSON file`

const OPTIONS = {
  only: { type: 'string', multiple: true },
  runtime: { type: 'string', multiple: true },
  smoke: { type: 'boolean' },
  json: { type: 'boolean' },
  out: { type: 'string' },
  database: { type: 'string' },
  page: { type: 'string' },
  help: { type: 'boolean' },
}
const say = (text) => process.stderr.write(`${text}\n`)
const values = readOptions()

if (values.help) console.log(HELP)
else if (values.page !== undefined) {
  const before = await readResults(values.page).catch(({ message }) => refuse(message))
  await writePage(await makePage(before), say)
} else await runAll()

function readOptions() {
  try {
    return parseArgs({ options: OPTIONS }).values
  } catch (error) {
    return refuse(`${error.message}\n\n${HELP}`)
  }
}

function refuse(why) {
  say(why)
  process.exit(2)
}

async function runAll() {
  // Suites are groups of processes of their own, which no terminal ends.
  for (const [signal, number] of [
    ['SIGHUP', 1],
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ])
    process.once(signal, () => process.exit(128 + number))
  const suites = chosen('suite', SUITES, values.only, ({ name }) => name)
  const found = findRuntimes()
  for (const { id, version } of found)
    if (version === undefined) say(`not installed, by npm run test:runtimes: ${id}`)
  const installed = found.filter(({ version }) => version !== undefined)
  const wanted = values.runtime ?? (values.smoke ? ['node'] : undefined)
  const runtimes = chosen('runtime', installed, wanted, ({ id }) => id)
  const jobs = jobsOf(suites, runtimes)
  const ids = runtimes.map(({ id }) => id).join(', ')
  if (jobs.length === 0)
    refuse(`on ${ids} none of these runs: ${suites.map(({ name }) => name).join(', ')}`)
  for (const { name } of suites.filter((each) => jobs.every(({ suite }) => suite !== each)))
    say(`left out, since it does not run on ${ids}: ${name}`)
  const isWhole = values.only === undefined && values.runtime === undefined
  const kind = values.smoke ? 'smoke' : isWhole ? 'latest' : 'partial'
  const out = values.out ?? fileURLToPath(new URL(`results/${kind}.json`, import.meta.url))
  // Before anything is measured, lest it be lost.
  await mkdir(dirname(out), { recursive: true })
  const begin = performance.now()
  const results = await runSuites(jobs)
  const all = {
    date: new Date().toISOString(),
    minutes: (performance.now() - begin) / 60_000,
    machine: machine(),
    versions: versions(),
    runtimes: found.map(({ id, name, version }) => ({ id, name, version })),
    results,
  }
  await writeFile(out, `${JSON.stringify(all, null, 1)}\n`)
  if (values.json) console.log(JSON.stringify(all, null, 1))
  // A part of the whole, too, shows that a page can be made of it.
  const made = await makePage(all)
  if (kind === 'latest') await writePage(made, say)
  say(`\n${figure(all.minutes)} minutes`)
  const failed = results.filter((result) => result.failed !== undefined)
  for (const { suite, runtime, failed: why } of failed) say(`${suite} on ${runtime.id}: ${why}`)
  process.exitCode = failed.length > 0 ? 1 : 0
}

async function runSuites(jobs) {
  const results = []
  for (const [at, { suite, runtime }] of jobs.entries()) {
    const { id, name, version } = runtime
    say(`\n[${at + 1}/${jobs.length}] ${suite.name} on ${name} ${version}`)
    const begin = performance.now()
    const result = await startSuite(suite.name, runtime, {
      env: values.smoke ? SMOKE : isBound(suite, runtime) ? {} : LESS,
      args: values.database === undefined ? [] : ['--database', values.database],
      tablesTo: values.json ? 'stderr' : 'stdout',
    })
    const seconds = (performance.now() - begin) / 1000
    for (const reason of [result.failed, result.skipped])
      if (reason) say(`${suite.name}: ${reason}`)
    say(`${suite.name} took ${figure(seconds)} s`)
    results.push({ suite: suite.name, runtime: { id, name, version }, seconds, ...result })
  }
  return results
}

function chosen(what, items, names, nameOf) {
  if (names === undefined) return items
  const known = new Map(items.map((item) => [nameOf(item), item]))
  return names.map((name) => {
    return (
      known.get(name) ??
      refuse(`there is no ${what} ${name}; there are ${[...known.keys()].join(', ')}`)
    )
  })
}
