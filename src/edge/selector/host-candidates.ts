import { ANY_LABEL } from './host.js'

/** A canonical host with variables, as the positions of its variable labels. */
interface HostShape {
  readonly labels: number
  readonly variables: readonly number[]
}

/**
 * Gives, for a concrete host, the canonical hosts with variables that may match it. The cost
 * depends on the number of distinct shapes (`{}.example.com` and `{}.example.org` share one), not
 * on that of hosts.
 */
export class HostCandidates {
  readonly #shapes = new Map<string, HostShape>()

  add(canonicalHost: string): void {
    const labels = canonicalHost.split('.')
    const variables = labels.flatMap((label, at) => (label === ANY_LABEL ? [at] : []))
    if (variables.length === 0) return
    this.#shapes.set(`${labels.length}:${variables.join()}`, { labels: labels.length, variables })
  }

  of(host: string): readonly string[] {
    if (this.#shapes.size === 0) return []
    const labels = host.split('.')
    return [...this.#shapes.values()]
      .filter((shape) => shape.labels === labels.length)
      .map((shape) => labels.map((label, at) => (shape.variables.includes(at) ? ANY_LABEL : label)))
      .map((candidate) => candidate.join('.'))
  }
}
