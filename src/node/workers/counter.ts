/** A number that only grows, one for each set of label values. */
export interface Counter {
  add(...values: readonly string[]): void
  /** The counts so far, each with its label values. */
  samples(): readonly Sample[]
}

/** One line of a metric: label values in the order of the names, and a number. */
export type Sample = readonly [values: readonly string[], value: number]

/** A counter whose label values come from configuration, never from strangers: it is not bounded. */
export function createCounter(): Counter {
  const series = new Map<string, { readonly values: readonly string[]; count: number }>()
  return {
    add(...values) {
      const key = JSON.stringify(values)
      const known = series.get(key)
      if (known === undefined) series.set(key, { values, count: 1 })
      else known.count++
    },
    samples: () => [...series.values()].map(({ values, count }) => [values, count] as const),
  }
}
