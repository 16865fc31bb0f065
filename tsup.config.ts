import { defineConfig } from 'tsup'

export default defineConfig({
  entry: [
    'src/edge/index.ts',
    'src/edge/expression/index.ts',
    'src/edge/problem/index.ts',
    'src/node/index.ts',
    'src/node/cli/main.ts',
  ],
  format: 'esm',
  target: 'es2022',
  splitting: true,
  clean: true,
  dts: { entry: ['src/edge/index.ts', 'src/edge/expression/index.ts', 'src/edge/problem/index.ts', 'src/node/index.ts'] },
  // jsep keeps its operators in global statics: a private copy leaves the host's jsep alone.
  noExternal: ['jsep'],
})
