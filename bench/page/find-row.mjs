/** The row of a suite, group and name, if it was measured. */
export function findRow(results, [suite, group, name]) {
  const { rows = [] } = results.find((result) => result.suite === suite) ?? {}
  return rows.find((row) => row.group === group && row.name === name)
}
