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

/** What is run in a process of its own. */
const PROGRAM = 'src/node/cli/main.ts'

/** What is run in a thread of its own, each time anew. */
const THREAD = 'src/node/documents/document-thread.ts'

const EVERY = {
  format: 'esm',
  target: 'es2022',
  // Puts constants where they are used, which who bundles the joined files can do no more.
  minifySyntax: true,
} as const

export default defineConfig([
  {
    ...EVERY,
    entry: [...DOORS, ...SAME_DOOR, PROGRAM],
    splitting: true,
    // All but what the other build writes meanwhile.
    clean: ['!node/documents'],
    dts: { entry: DOORS },
  },
  // Alone, as chunks that it shared would bring packages that it does not use: the thread starts with a
  // quarter of the work.
  { ...EVERY, entry: { 'node/documents/document-thread': THREAD }, splitting: false },
])
