/** The value below which a share `q` of the values lies. */
export function quantile(values, q) {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]
}

export const median = (values) => quantile(values, 0.5)

/** Milliseconds of something done many times, as a row of a table. */
export function spreadOf(name, values) {
  return {
    name,
    median_ms: median(values),
    p99_ms: values.length >= 100 ? quantile(values, 0.99) : undefined,
    worst_ms: Math.max(...values),
  }
}
