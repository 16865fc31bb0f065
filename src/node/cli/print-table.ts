import { printable, type Terminal } from './terminal.js'

/** Prints rows below their headings, each column as wide as its widest cell. */
export function printTable(
  { out, paint }: Terminal,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const safe = rows.map((row) => row.map(printable))
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...safe.map((row) => row[at]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  out(paint('bold', line(headings)))
  for (const row of safe) out(line(row))
}
