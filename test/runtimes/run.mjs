import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { build } from 'esbuild'
import { compare, firstDifference, LIMITS, readVerdicts } from './compare.mjs'
import { findRuntimes } from './runtimes.mjs'

const HELP = `Usage: npm run test:runtimes -- [--only ID] [--seed NUMBER] [--every]

Asks every runtime the same and compares the verdicts with those of node:crypto on the Node that
runs this. Exits with 1 when one differs.

  --only ID      one of the runtimes beside the first; may repeat
  --seed NUMBER  of the random tokens, decisions and expressions
  --every        a runtime that is missing is a failure, too`

const HERE = new URL('.', import.meta.url)
const ROOT = fileURLToPath(new URL('../..', HERE))
const WORK = new URL('../../.tmp/runtimes/', HERE)
const VECTORS = new URL('../../../shared/vectors/', HERE)
const SHOWN = 20
/** Of what takes ten seconds: enough for a machine that is busy with other work. */
const MAX_SECONDS = 300

/** Resolves the project's own name, which this folder with a package of its own hides. */
const ownName = {
  name: 'own name',
  setup: ({ onResolve, resolve }) =>
    onResolve({ filter: /^portcullis\// }, ({ path, kind, pluginData }) =>
      pluginData === ROOT ? undefined : resolve(path, { kind, resolveDir: ROOT, pluginData: ROOT }),
    ),
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    seed: { type: 'string', default: '20261121' },
    every: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
})

if (values.help) console.log(HELP)
else process.exitCode = (await run(values)) ? 0 : 1

/** Whether all is as it should be. */
async function run({ only, seed, every }) {
  install()
  const [own, ...others] = findRuntimes()
  const unknown = only?.find((each) => others.every(({ id }) => id !== each))
  if (unknown !== undefined) {
    console.error(`--only: expected one of ${others.map(({ id }) => id)}, found '${unknown}'`)
    return false
  }
  const input = await prepare(Number(seed))
  const chosen = [own, ...others.filter(({ id }) => only === undefined || only.includes(id))]
  const missing = chosen.filter(({ program }) => program === undefined)
  const answers = await askAll(chosen.filter((each) => !missing.includes(each)))
  const rows = answers.flatMap(([runtime, doors]) =>
    [...doors].map(([door, { verdicts, seconds }]) => {
      return { runtime, door, seconds, cases: verdicts.size, verdicts }
    }),
  )
  const reference = rows[0].verdicts
  for (const row of rows) Object.assign(row, compare(reference, row.verdicts, row.runtime.id))
  const surprises = unexpected(input, reference)
  print(rows, surprises)
  for (const { name, id } of missing) console.log(`${name} (${id}) is not here: skipped`)
  const differing = rows.some(({ differences }) => differences.length > 0)
  return !differing && surprises.length === 0 && !(every && missing.length > 0)
}

/** Where npm has not been since the pins changed; without a network what is there has to do. */
function install() {
  const timeOf = (name) => statSync(new URL(name, HERE), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (timeOf('node_modules/.package-lock.json') >= timeOf('package-lock.json')) return
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
  spawnSync('npm', args, { cwd: HERE, stdio: 'inherit' })
}

/** Bundles the suite once for all, and writes the input beside it. */
async function prepare(seed) {
  rmSync(WORK, { recursive: true, force: true })
  mkdirSync(WORK, { recursive: true })
  const bundle = (entry, options) =>
    build({
      entryPoints: [fileURLToPath(new URL(entry, HERE))],
      outdir: fileURLToPath(WORK),
      outExtension: { '.js': '.mjs' },
      bundle: true,
      format: 'esm',
      target: 'es2022',
      logLevel: 'warning',
      ...options,
    })
  await bundle('suite/process-host.mjs', { platform: 'node', packages: 'external' })
  await bundle('suite/worker-host.mjs', {
    conditions: ['workerd', 'worker', 'browser'],
    plugins: [ownName],
  })
  await bundle('input/input.ts', { platform: 'node', packages: 'external' })
  const { makeInput } = await import(new URL('input.mjs', WORK).href)
  const { input, hasVectors } = makeInput(VECTORS, seed)
  if (!hasVectors) console.log('skipped: the shared vectors are not beside this clone')
  writeFileSync(new URL('input.json', WORK), JSON.stringify(input))
  return input
}

/** What each answers, in their order; as many at once as there are cores. */
async function askAll(runtimes) {
  const answers = []
  const waiting = runtimes.entries()
  const ask = async () => {
    for (const [at, runtime] of waiting) answers[at] = [runtime, await askRuntime(runtime)]
  }
  await Promise.all(Array.from({ length: availableParallelism() }, ask))
  return answers
}

async function askRuntime({ id, name, version, command }) {
  const host = id === 'workerd' ? 'worker-host.mjs' : 'process-host.mjs'
  const [script, input] = [host, 'input.json'].map((file) => fileURLToPath(new URL(file, WORK)))
  const [program, ...args] = command(script, input)
  console.error(`asking ${name} ${version}`)
  const { stdout } = await promisify(execFile)(program, args, {
    maxBuffer: 2 ** 28,
    timeout: 1000 * MAX_SECONDS,
    killSignal: 'SIGKILL',
  }).catch((cause) => {
    const why = cause.killed
      ? `did not end within ${MAX_SECONDS} s`
      : `failed: ${cause.stderr.slice(-2000)}`
    throw new Error(`${name} ${version} ${why}`, { cause })
  })
  return readVerdicts(stdout)
}

/** Cases whose outcome is known beforehand, and the reference has another. */
function unexpected({ tokens }, reference) {
  return tokens
    .filter(({ expected }) => expected !== undefined)
    .map(({ id, expected }) => ({
      id,
      theirs: expected,
      ours: JSON.parse(reference.get(id)).status,
    }))
    .filter(({ theirs, ours }) => theirs !== ours)
}

function print(rows, surprises) {
  const table = rows.map(({ runtime, door, cases, differences, without, seconds }) => ({
    runtime: `${runtime.name} ${runtime.version}`,
    cryptography: door,
    cases,
    differences: differences.length,
    'without key': without,
    seconds: seconds.toFixed(1),
  }))
  console.log(markdown(table))
  for (const { runtime, what } of LIMITS) console.log(`without key: ${runtime} takes no ${what}`)
  const faults = [
    { runtime: { name: 'reference' }, door: 'expected', differences: surprises },
    ...rows,
  ]
  for (const { runtime, door, differences } of faults) {
    for (const { id, ours, theirs } of differences.slice(0, SHOWN)) {
      const [got, wanted] = firstDifference(ours, theirs)
      console.log(`\n${runtime.name}, ${door}: ${id}\n  is        ${got}\n  should be ${wanted}`)
    }
    if (differences.length > SHOWN) console.log(`and ${differences.length - SHOWN} more`)
  }
  if (faults.some(({ differences }) => differences.length > 0))
    console.log('\nEach case with its keys is in .tmp/runtimes/input.json')
}

function markdown(table) {
  const names = Object.keys(table[0])
  const lines = [names, ...table.map((row) => names.map((name) => String(row[name])))]
  const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at].length)))
  const text = lines.map(
    (line) => `| ${line.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`,
  )
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [text[0], rule, ...text.slice(1)].join('\n')
}
