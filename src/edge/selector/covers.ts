import { canonicalHost } from './host.js'
import type { Operation } from './router.js'

/** Which operations a rule covers (spec 2.4). `host` is one host or a list of them. */
export interface Selector {
  readonly include?: readonly { readonly host?: string | readonly string[] | null }[] | null
  readonly exclude?: readonly { readonly operation_ids?: readonly string[] | null }[] | null
}

/** A selector in the form questions are asked of. `hosts` is null when every host is included. */
export interface Coverage {
  readonly hosts: ReadonlySet<string> | null
  readonly excluded: ReadonlySet<string>
}

/** Reads a selector once. No `include` covers every operation of the zone, an empty list none. */
export function coverage(selector: Selector): Coverage {
  const hosts = selector.include?.flatMap((entry) => entry.host ?? [])
  return {
    hosts: hosts ? new Set(hosts.map(canonical)) : null,
    excluded: new Set(selector.exclude?.flatMap((entry) => entry.operation_ids ?? [])),
  }
}

const canonical = (host: string): string => canonicalHost(host) ?? host

/** Turns a selector into a predicate over operations. Exclusion beats inclusion. */
export function covers(selector: Selector): (operation: Operation) => boolean {
  const { ofOperation } = createCovering([{ coverage: coverage(selector) }])
  return (operation) => ofOperation(operation) !== null
}

/** Answers which rule decides, for operations and for requests that match none. */
export interface Covering<Rule> {
  /** `host` is the operation's, canonical, for whoever has it already. */
  ofOperation(operation: Operation, host?: string): Rule | null
  /** `hosts` are the canonical hosts that a request's host may stand under. */
  ofHosts(hosts: readonly string[]): Rule | null
}

/**
 * The rule that decides for each operation: the first whose selector covers it, in the order
 * given. Rules are looked through once per host they name, so 1,000 rules over 10,000 operations
 * stay cheap, and a host that no rule names costs nothing to remember.
 */
export function createCovering<Rule extends { readonly coverage: Coverage }>(
  rules: readonly Rule[],
): Covering<Rule> {
  const including = (host?: string) =>
    rules.filter(({ coverage: { hosts } }) => hosts === null || (host && hosts.has(host)))
  const named = new Set(rules.flatMap((rule) => [...(rule.coverage.hosts ?? [])]))
  const everywhere = including()
  /** Filled as hosts are asked about, so that no moment of a large zone's compilation is long. */
  const byHost = new Map<string, readonly Rule[]>()
  const rulesOf = (host: string) => {
    let found = named.has(host) ? byHost.get(host) : everywhere
    if (!found) byHost.set(host, (found = including(host)))
    return found
  }
  return {
    ofOperation: ({ operation_id, host: written }, host = canonical(written)) =>
      rulesOf(host).find((rule) => !rule.coverage.excluded.has(operation_id)) ?? null,
    ofHosts: (hosts) => {
      const firsts = hosts.map((host) => rulesOf(host)[0])
      return rules.find((rule) => firsts.includes(rule)) ?? null
    },
  }
}
