import { ANY_LABEL } from './host.js'

/** A canonical host with variables, as the positions of its variable labels. */
interface HostShape {
  readonly labels: number
  readonly variables: readonly number[]
}

/**
 * Gives, for a concrete host, the canonical hosts with variables that may match it, those with
 * fewer variables first, then in the order they were added. The cost depends on the number of
 * distinct shapes (`{}.example.com` and `{}.example.org` share one), not on that of hosts.
 */
export class HostCandidates {
  readonly #shapes = new Map<string, HostShape>()
  #ordered: readonly HostShape[] = []

  add(canonicalHost: string): void {
    const labels = canonicalHost.split('.')
    const variables = labels.flatMap((label, at) => (label === ANY_LABEL ? [at] : []))
    const key = `${labels.length}:${variables.join()}`
    if (variables.length === 0 || this.#shapes.has(key)) return
    this.#shapes.set(key, { labels: labels.length, variables })
    this.#ordered = [...this.#shapes.values()].toSorted(
      (one, other) => one.variables.length - other.variables.length,
    )
  }

  of(host: string): readonly string[] {
    if (this.#ordered.length === 0) return []
    const labels = host.split('.')
    return this.#ordered
      .filter((shape) => shape.labels === labels.length)
      .map((shape) => labels.map((label, at) => (shape.variables.includes(at) ? ANY_LABEL : label)))
      .map((candidate) => candidate.join('.'))
  }
}
