import { defineConfig } from 'tsup'

/** One for each entry of the exports map. */
const DOORS = [
  'src/edge/index.ts',
  'src/edge/expression/index.ts',
  'src/edge/problem/index.ts',
  'src/edge/edge-errors/index.ts',
  'src/edge/embed/index.ts',
  'src/edge/gate/explain.ts',
  'src/edge/platform-crypto.ts',
  'src/management/index.ts',
  'src/node/index.ts',
]

/** What a door opens on runtimes of their own, with the types of the door. */
const SAME_DOOR = ['src/node/platform-crypto.ts', 'src/node/deno-crypto.ts']

/** What is run, in a process or a thread. */
const PROGRAMS = ['src/node/cli/main.ts', 'src/node/documents/document-thread.ts']

export default defineConfig({
  entry: [...DOORS, ...SAME_DOOR, ...PROGRAMS],
  format: 'esm',
  target: 'es2022',
  splitting: true,
  clean: true,
  // Puts constants where they are used, which who bundles the joined files can do no more.
  minifySyntax: true,
  dts: { entry: DOORS },
})
