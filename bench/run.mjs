import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'

const SUITES = [
  'expression',
  'negotiate',
  'verify',
  'cache',
  'decide',
  'proxy',
  'auth',
  'follow',
  'compile',
  'save',
  'lists',
]
/** Needs servers of other makers, and is therefore run when asked for. */
const EXTRA = ['http']
const HELP = `Usage: npm run bench -- [--only NAME] [--smoke] [--out FILE]

Measures beside peers in the same run and prints tables; CPU time per operation is what counts.

  --only NAME   one of ${[...SUITES, ...EXTRA].join(', ')}; may repeat
  --smoke       a few short rounds: proves that results are right, not how fast they come
  --database URL  lists: a Postgres server to make databases on, in place of one from npm
  --out FILE    where the JSON goes, default bench/results/latest.json`

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: SUITES },
    smoke: { type: 'boolean' },
    database: { type: 'string' },
    out: { type: 'string', default: 'bench/results/latest.json' },
    help: { type: 'boolean' },
  },
})

if (values.help) {
  console.log(HELP)
} else {
  if (values.smoke) Object.assign(process.env, { BENCH_ROUNDS: '1', BENCH_SAMPLE_MS: '2' })
  const results = []
  for (const name of values.only) {
    const { run } = await import(`./${name}.mjs`)
    results.push(await run())
  }
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, versions: process.versions }
  await mkdir(new URL('results/', import.meta.url), { recursive: true })
  await writeFile(
    values.out,
    `${JSON.stringify({ machine, date: new Date(), results }, null, 2)}\n`,
  )
  console.log(`\nwritten to ${values.out}`)
}
