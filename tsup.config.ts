import { defineConfig } from 'tsup'

/** One for each entry of the exports map. */
const DOORS = [
  'src/edge/index.ts',
  'src/edge/expression/index.ts',
  'src/edge/problem/index.ts',
  'src/edge/edge-errors/index.ts',
  'src/edge/embed/index.ts',
  'src/edge/gate/explain.ts',
  'src/management/index.ts',
  'src/node/index.ts',
]

export default defineConfig({
  entry: [...DOORS, 'src/node/cli/main.ts', 'src/node/documents/document-thread.ts'],
  format: 'esm',
  target: 'es2022',
  splitting: true,
  clean: true,
  dts: { entry: DOORS },
})
