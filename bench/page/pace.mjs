import { median } from '../measure/quantile.mjs'
import { findRow } from './find-row.mjs'
import { runtimeLabel } from './runtime-label.mjs'

/** On the machine, and the runtime, on which the bounds were set: CPU µs of what others made. */
const MARKS = [
  {
    what: 'RS256 by `node:crypto`',
    row: ['verify', 'RS256, valid', 'node:crypto alone'],
    us: 16.8,
  },
  { what: 'ES256 by it', row: ['verify', 'ES256, valid', 'node:crypto alone'], us: 45.7 },
  { what: 'HS256 by fast-jwt', row: ['verify', 'HS256, valid', 'fast-jwt'], us: 5.29 },
  {
    what: 'a cached ES256 by it',
    row: ['decide', 'warm', 'fast-jwt, cached verify alone'],
    us: 2.35,
  },
]
const RUNTIME = 'Node 20'

/**
 * How long things take in a run, times what they took where the bounds were set. Bounds are in µs, and
 * machines differ by more than programs.
 *
 * @returns `{ pace, marks }`: the middle of the marks, and for each `{ what, before, now }` in CPU µs;
 *   undefined where not all were measured
 */
export function paceOf(results) {
  const here = results.filter(({ runtime }) => runtimeLabel(runtime) === RUNTIME)
  const marks = MARKS.map(({ what, row, us }) => ({
    what,
    before: us,
    now: findRow(here, row)?.cpu_us,
  }))
  if (marks.some(({ now }) => now === undefined)) return undefined
  return { pace: median(marks.map(({ before, now }) => now / before)), marks }
}
