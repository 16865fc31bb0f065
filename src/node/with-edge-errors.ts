import { plainEdgeErrors, readEdgeErrors, type EdgeErrors } from '../edge/edge-errors/index.js'
import { Report, zonesOf } from '../edge/gate/index.js'
import { PolicyError, requestHost } from '../edge/index.js'
import type { CryptoBackend, Gate, PolicyIssue } from '../edge/index.js'
import { canonicalHost } from '../edge/selector/index.js'

/** A gate that also knows how its zones answer edge errors. */
export interface ServerGate extends Gate<CryptoBackend<boolean>> {
  /** How edge errors are answered on a host, given as its header says it. */
  errorsOf(host: string): EdgeErrors
}

/** The `edge_errors` of a policy, by canonical name of the zone. */
interface Compiled {
  readonly zones: ReadonlyMap<string, EdgeErrors>
  readonly notices: readonly PolicyIssue[]
}

/**
 * Makes a gate whose policies are put in force together with their `edge_errors`: all of it, or
 * nothing.
 *
 * @throws {PolicyError} with the issues of both.
 */
export function withEdgeErrors(
  policy: unknown,
  create: (policy: unknown) => Gate<CryptoBackend<boolean>>,
): ServerGate {
  let running = compile(policy, create)
  const gate = create(policy)
  return {
    decide: gate.decide,
    explain: gate.explain,
    replace(next) {
      const compiled = compile(next, create)
      gate.replace(next)
      running = compiled
    },
    get epoch() {
      return gate.epoch
    },
    get notices() {
      return [...gate.notices, ...running.notices]
    },
    get zones() {
      return gate.zones
    },
    errorsOf: (host) => errorsAt(requestHost(host), running.zones),
  }
}

function compile(policy: unknown, create: (policy: unknown) => unknown): Compiled {
  const report = new Report()
  const zones = zonesOf(policy, report)
  // What the gate itself finds is told by the gate.
  const { notices } = report
  const known = notices.length
  const compiled = zones.flatMap(([{ name, edge_errors, lists, settings }, here]) => {
    if (edge_errors === undefined) return []
    const { nil_not_equal: nilNotEqual, merge_slashes: mergeSlashes } = settings ?? {}
    const terms = { lists, nilNotEqual, mergeSlashes }
    const errors = readEdgeErrors(edge_errors, here.at('edge_errors'), terms)
    return [[canonicalHost(name) ?? name, errors] as const]
  })
  if (zones.length > 0 && report.errors.length > 0)
    throw new PolicyError([...issuesOf(() => create(policy)), ...report.errors])
  return { zones: new Map(compiled), notices: notices.slice(known) }
}

function issuesOf(run: () => unknown): readonly PolicyIssue[] {
  try {
    run()
  } catch (cause) {
    if (cause instanceof PolicyError) return cause.issues
    throw cause
  }
  return []
}

/** Those of the zone with the longest name that the host is, or is below. */
function errorsAt(host: string, zones: ReadonlyMap<string, EdgeErrors>): EdgeErrors {
  const dot = host.indexOf('.')
  return zones.get(host) ?? (dot === -1 ? plainEdgeErrors : errorsAt(host.slice(dot + 1), zones))
}
