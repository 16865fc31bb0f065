import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { findRuntimes } from './runtimes.mjs'

const HELP = `Usage: npm run test:on -- ID [FILES]

Runs tests on another Node, such as node-26: its HTTP differs from version to version.
\`npm run test:runtimes\` installs them.`

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

const [id, ...files] = process.argv.slice(2)
const nodes = findRuntimes().filter(({ name, program }) => name === 'Node' && program !== undefined)
const chosen = nodes.find((each) => each.id === id)

if (id === undefined || id === '--help') console.log(HELP)
else if (chosen === undefined) {
  console.error(`expected one of ${nodes.map((each) => each.id).join(', ')}, found '${id}'`)
  process.exitCode = 2
} else {
  const args = [VITEST, 'run', ...files]
  process.exitCode = spawnSync(chosen.program, args, { stdio: 'inherit' }).status ?? 1
}
