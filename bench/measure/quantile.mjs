/** The value below which a share `q` of the values lies. */
export function quantile(values, q) {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]
}

/** The middle one, or what lies between the two in the middle. */
export function median(values) {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  return mean([sorted[Math.floor(middle)], sorted[Math.ceil(middle)]])
}

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Milliseconds of something done many times, as a row of a table. */
export function spreadOf(name, values) {
  return {
    name,
    median_ms: median(values),
    p99_ms: values.length >= 100 ? quantile(values, 0.99) : undefined,
    worst_ms: Math.max(...values),
  }
}
