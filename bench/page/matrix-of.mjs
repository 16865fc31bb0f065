import { figure, times } from '../measure/figure.mjs'
import { runtimeLabel } from './runtime-label.mjs'

/**
 * One group of a suite that ran on several runtimes as a table of text: CPU µs, and how many times
 * the first row that is. `{ head, body }`.
 */
export function matrixOf(results, group) {
  const columns = results.map(({ runtime, rows }) => ({
    heading: runtimeLabel(runtime),
    rows: new Map(rows.filter((row) => row.group === group).map((row) => [row.name, row])),
  }))
  const names = new Set(columns.flatMap(({ rows }) => [...rows.keys()]))
  return {
    head: ['CPU µs', ...columns.map(({ heading }) => heading)],
    body: [...names].map((name) => [name, ...columns.map(({ rows }) => cell(rows.get(name)))]),
  }
}

function cell(row) {
  if (row === undefined) return '–'
  return row.ratio === 1 ? figure(row.cpu_us) : `${figure(row.cpu_us)} · ${times(row.ratio)}`
}
