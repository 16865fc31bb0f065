import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = new URL('.', import.meta.url)

/**
 * The runtimes that the project is tested on, the one that runs this first. The program of another
 * is `binary` in a package of this folder whose name begins with the id: one for each kind of
 * machine, of which npm installs the fitting one. `args(script, input)` starts it, after
 * `files(script, input)` has written what else it needs.
 */
const TABLE = [
  { id: 'node', name: 'Node', args: plain },
  { id: 'node-22', name: 'Node', binary: 'bin/node', args: plain },
  { id: 'node-24', name: 'Node', binary: 'bin/node', args: plain },
  { id: 'node-26', name: 'Node', binary: 'bin/node', args: plain },
  { id: 'bun', name: 'Bun', binary: 'bin/bun', args: plain },
  {
    id: 'deno',
    name: 'Deno',
    binary: 'deno',
    args: (script, input) => ['run', '--quiet', '--no-lock', '--allow-all', script, input],
  },
  {
    id: 'workerd',
    name: 'workerd',
    binary: 'bin/workerd',
    files: writeConfiguration,
    args: (script) => ['test', join(dirname(script), 'workerd.capnp')],
  },
]

/**
 * Every runtime: `{ id, name, version, program, command(script, input) }`. One that is not installed
 * has neither version nor program.
 *
 * `command` gives `[program, ...args]` to run a script of absolute path with an input file that lies
 * beside it. What the script prints is on standard output; it exits with 0 unless it throws. It gets
 * the path of its input as last argument. In workerd it is a module whose default export has
 * `test(controller, env)`: it gets the text of its input as `env.input`, and may import the other
 * .mjs files of its folder and nothing else.
 */
export function findRuntimes() {
  return TABLE.map(({ id, name, binary, files, args }) => {
    const program = binary === undefined ? process.execPath : find(id, binary)
    return {
      id,
      name,
      version: program && versionOf(program),
      program,
      command(script, input) {
        files?.(script, input)
        return [program, ...args(script, input)]
      },
    }
  })
}

function plain(script, input) {
  return [script, input]
}

function find(id, binary) {
  const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', HERE), 'utf8'))
  return Object.keys(optionalDependencies)
    .filter((name) => name.startsWith(`${id}-`))
    .map((name) => fileURLToPath(new URL(`node_modules/${name}/${binary}`, HERE)))
    .find((program) => existsSync(program))
}

function versionOf(program) {
  const said = execFileSync(program, ['--version'], { encoding: 'utf8' })
  return /\d[\d.-]*\d/.exec(said)[0]
}

/** workerd reads no files: modules and input are part of its configuration. */
function writeConfiguration(script, input) {
  const folder = dirname(script)
  const main = basename(script)
  const others = readdirSync(folder).filter((name) => name.endsWith('.mjs') && name !== main)
  const modules = [main, ...others].map((name) => `(name = "${name}", esModule = embed "${name}")`)
  writeFileSync(
    join(folder, 'workerd.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = (
  modules = [${modules.join(', ')}],
  bindings = [(name = "input", text = embed "${basename(input)}")],
  compatibilityDate = "2026-11-01"
))]);
`,
  )
}
