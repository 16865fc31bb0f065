import { figure, times } from './figure.mjs'

/** Numbers that a row may have, in the order of a table: heading and form. */
export const COLUMNS = new Map([
  ['cpu_us', ['CPU µs', figure]],
  ['wall_us', ['wall µs', figure]],
  ['wall_p10_us', ['wall p10 µs', figure]],
  ['short_us', ['µs, short list', figure]],
  ['long_us', ['µs, long list', figure]],
  ['changed_short_us', ['short, after a change µs', figure]],
  ['changed_long_us', ['long, after a change µs', figure]],
  ['median_ms', ['median ms', figure]],
  ['p99_ms', ['p99 ms', figure]],
  ['worst_ms', ['worst ms', figure]],
  ['per_second', ['a second', figure]],
  ['count', ['count', (count) => count.toLocaleString('en')]],
  ['percent', ['%', figure]],
  ['bytes', ['bytes', figure]],
  ['mb', ['MB', figure]],
  ['rss_mb', ['resident MB', figure]],
  ['ratio', ['ratio', times]],
  ['changed_ratio', ['ratio, after a change', times]],
])

/** Rows of one group as a table of text: `{ head, body }`, the name first, only columns in use. */
export function tableOf(rows) {
  const used = [...COLUMNS].filter(([key]) => rows.some((row) => row[key] !== undefined))
  return {
    head: ['', ...used.map(([, [heading]]) => heading)],
    body: rows.map((row) => [
      row.name,
      ...used.map(([key, [, form]]) => (row[key] === undefined ? '' : form(row[key]))),
    ]),
  }
}
