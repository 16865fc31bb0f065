/** What the package opens: one for each entry of the exports map. */
export const DOORS = [
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
