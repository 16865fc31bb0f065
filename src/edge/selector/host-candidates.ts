import { ANY_LABEL } from './host.js'

/**
 * Gives, for a concrete host, the canonical hosts with variables that may match it. The cost
 * depends on the number of distinct shapes (`{}.example.com` and `{}.example.org` share one), not
 * on that of hosts.
 */
export class HostCandidates {
  /** For each label of a canonical host, whether it is a variable. */
  readonly #shapes = new Map<string, readonly boolean[]>()

  add(canonicalHost: string): void {
    const shape = canonicalHost.split('.').map((label) => label === ANY_LABEL)
    if (shape.includes(true)) this.#shapes.set(shape.join(), shape)
  }

  of(host: string): readonly string[] {
    if (this.#shapes.size === 0) return []
    const labels = host.split('.')
    return [...this.#shapes.values()]
      .filter((shape) => shape.length === labels.length)
      .map((shape) => labels.map((label, at) => (shape[at] ? ANY_LABEL : label)).join('.'))
  }
}
