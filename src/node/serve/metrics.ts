import type { Sample } from '../workers/index.js'

/** A metric as it is shown. */
export interface Metric {
  readonly name: string
  readonly kind: 'counter' | 'gauge'
  readonly help: string
  readonly labels?: readonly string[]
  readonly samples: readonly Sample[]
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
