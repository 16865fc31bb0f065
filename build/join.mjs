import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { build } from 'rolldown'

/** What the package opens: one for each entry of the exports map. Of these the compiler writes the types. */
const { files: DOORS } = JSON.parse(readFileSync('tsconfig.types.json', 'utf8'))

/** What a door opens on runtimes of their own, with the types of the door. */
const SAME_DOOR = ['src/node/platform-crypto.ts', 'src/node/deno-crypto.ts']

/** The command line. */
const PROGRAM = 'src/node/cli/main.ts'

/** What is run in a process of its own, each time anew. */
const READER = 'src/node/documents/document-program.ts'

/** Files have the same places below `dist`. */
const placed = (files) =>
  Object.fromEntries(files.map((file) => [file.slice('src/'.length, -'.ts'.length), file]))

const EVERY = {
  // Packages are not made part of it.
  external: /^[^./]/,
  platform: 'node',
  transform: { target: 'es2022' },
  // Puts constants where they are used, which who bundles the joined files can do no more.
  optimization: { inlineConst: true },
}

/**
 * Joins the modules to those of the package. Their `const` stays: what a constant table holds V8 takes
 * for known, which it has to look up in a `var`, and reading a token would take a tenth more.
 */
const made = await build([
  { ...EVERY, input: placed([...DOORS, ...SAME_DOOR, PROGRAM]), output: { dir: 'dist' } },
  // Alone, as chunks that it shared would bring packages that it does not use: it starts with a quarter of
  // the work.
  { ...EVERY, input: placed([READER]), output: { dir: 'dist', codeSplitting: false } },
])

/** Names of parts tell what is in them: those of earlier builds would stay beside the new ones. */
const names = new Set(made.flatMap(({ output }) => output.map(({ fileName }) => fileName)))
for (const file of readdirSync('dist', { recursive: true }))
  if (file.endsWith('.js') && !names.has(file.replaceAll('\\', '/'))) rmSync(`dist/${file}`)

// npm makes it executable when it links the package, and never again.
chmodSync('dist/node/cli/main.js', 0o755)
