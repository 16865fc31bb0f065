/** A number that only grows, one for each set of label values. */
export interface Counter {
  add(...values: readonly string[]): void
  /** The counts so far, each with its label values. */
  samples(): Iterable<Sample>
}

/** One line of a metric: label values in the order of the names, and a number. */
export type Sample = readonly [values: readonly string[], value: number]

/** A counter whose label values come from configuration, never from strangers: it is not bounded. */
export function createCounter(): Counter {
  const series = new Map<string, { readonly values: readonly string[]; count: number }>()
  return {
    add(...values) {
      const key = values.join('\n')
      const known = series.get(key)
      if (known === undefined) series.set(key, { values, count: 1 })
      else known.count++
    },
    *samples() {
      for (const { values, count } of series.values()) yield [values, count]
    },
  }
}

/** A metric as it is shown. */
export interface Metric {
  readonly name: string
  readonly kind: 'counter' | 'gauge'
  readonly help: string
  readonly labels?: readonly string[]
  readonly samples: Iterable<Sample>
}

/** Metrics in the text format of Prometheus (0.0.4). */
export function exposition(metrics: readonly Metric[]): string {
  return metrics.map(lines).join('')
}

function lines({ name, kind, help, labels = [], samples }: Metric): string {
  let text = `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`
  for (const [values, value] of samples) {
    const pairs = labels.map((label, at) => `${label}="${escaped(values[at] ?? '')}"`)
    text += `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
  }
  return text
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
