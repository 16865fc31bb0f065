import {
  plainEdgeErrors,
  readEdgeErrors,
  type EdgeErrors,
  type EdgeErrorsOptions,
} from '../edge/edge-errors/index.js'
import { Report } from '../edge/gate/index.js'
import { PolicyError, requestHost } from '../edge/index.js'
import type { CryptoBackend, Gate, PolicyIssue, Zone } from '../edge/index.js'
import { canonicalHost } from '../edge/selector/index.js'
import { isObject } from '../edge/token/index.js'

/** A gate that also knows how its zones answer edge errors. */
export interface ServerGate extends Gate<CryptoBackend<boolean>> {
  /** How edge errors are answered on a host, given as its header says it. */
  errorsOf(host: string): EdgeErrors
}

/** The `edge_errors` of a policy, by canonical name of the zone, and what is to be said of them. */
interface Compiled {
  readonly zones: ReadonlyMap<string, EdgeErrors>
  readonly report: Report
}

type Create = (policy: unknown) => Gate<CryptoBackend<boolean>>

/**
 * Makes a gate whose policies are put in force together with their `edge_errors`: all of it, or
 * nothing.
 *
 * @throws {PolicyError} with the issues of both.
 */
export function withEdgeErrors(policy: unknown, create: Create): ServerGate {
  let running = sound(policy, create)
  let asked = 0
  let newest = 0
  const gate = create(policy)
  const put = (turn: number, compiled: Compiled) => {
    if (turn < newest) return
    newest = turn
    running = compiled
  }
  return {
    decide: gate.decide,
    explain: gate.explain,
    replace(next) {
      const compiled = sound(next, create)
      gate.replace(next)
      put(++asked, compiled)
    },
    async replaceGradually(next, pause) {
      const turn = ++asked
      const compiled = compile(next)
      const { errors } = compiled.report
      // What the gate would find as well is left for the next time: looking for it takes a while.
      if (errors.length > 0) throw new PolicyError(errors)
      const isInForce = await gate.replaceGradually(next, pause)
      if (isInForce) put(turn, compiled)
      return isInForce
    },
    get epoch() {
      return gate.epoch
    },
    get notices() {
      return [...gate.notices, ...running.report.notices]
    },
    get zones() {
      return gate.zones
    },
    errorsOf: (host) => errorsAt(requestHost(host), running.zones),
  }
}

/** Compiles what must be without a fault; of one with some, the gate's own are told too. */
function sound(policy: unknown, create: Create): Compiled {
  const compiled = compile(policy)
  const { errors } = compiled.report
  if (errors.length > 0) throw new PolicyError([...issuesOf(() => create(policy)), ...errors])
  return compiled
}

/** The rest of the policy may still have any shape: the gate judges it. */
function compile(policy: unknown): Compiled {
  const report = new Report()
  const several = isObject(policy) ? policy['zones'] : undefined
  const placed: readonly (readonly [zone: unknown, report: Report])[] = Array.isArray(several)
    ? several.map((zone: unknown, at) => [zone, report.at('zones', at)])
    : [[policy, report]]
  const zones = placed.flatMap(([zone, here]) => {
    if (!isObject(zone) || zone['edge_errors'] === undefined) return []
    const { name, edge_errors } = zone
    if (typeof name !== 'string') return []
    const errors = readEdgeErrors(edge_errors, here.at('edge_errors'), termsOf(zone))
    return [[canonicalHost(name) ?? name, errors] as const]
  })
  return { zones: new Map(zones), report }
}

/** What else in the zone its expressions depend on; nothing where the gate will not take it. */
function termsOf({ lists, settings }: Readonly<Record<string, unknown>>): EdgeErrorsOptions {
  const { nil_not_equal, merge_slashes } = isObject(settings) ? settings : {}
  return {
    lists: isLists(lists) ? lists : undefined,
    nilNotEqual: nil_not_equal === true,
    mergeSlashes: merge_slashes !== false,
  }
}

const isLists = (value: unknown): value is NonNullable<Zone['lists']> =>
  isObject(value) &&
  Object.values(value).every(
    (named) => isObject(named) && Object.values(named).every(Array.isArray),
  )

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
