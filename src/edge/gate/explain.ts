import { trace, type TraceStep } from '../expression/index.js'
import { canonicalHost } from '../selector/index.js'
import type { CompiledRule, CompiledZone } from './compiled-zone.js'
import type { Consultation } from './consultation.js'
import { Decision, type ConfigurationOutcome, type Judgement } from './decision.js'
import type { Route } from './route.js'

/** Why a rule before or after the deciding one did not decide. */
export interface RuleStep {
  readonly id: string
  readonly title: string
  readonly why:
    | 'decides'
    | 'disabled'
    | 'host_not_included'
    | 'operation_excluded'
    /** An earlier rule decides. */
    | 'later_in_order'
    /** The request matches none, and the zone lets such requests pass. */
    | 'no_operation'
}

/** One token source and what was there. Never the value. */
export interface SourceStep {
  readonly expression: string
  readonly result: 'token_taken' | 'empty_or_absent' | 'not_tried'
}

/** One check of a token, in the order they are made. */
export interface CheckStep {
  /** `present unambiguous size form crit alg kid claims exp nbf signature` */
  readonly check: string
  readonly result: 'ok' | 'failed' | 'not_reached'
}

export interface ConfigurationStep extends ConfigurationOutcome {
  readonly title: string
  readonly sources: readonly SourceStep[]
  readonly checks: readonly CheckStep[]
}

/** One part of the expression: its text, its place, and the value it had. */
export interface ExpressionStep {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly depth: number
  readonly skipped: boolean
  /** `undefined` when missing; `[redacted]` for what a client or a token could have put there. */
  readonly value: unknown
}

/** Every step from a request to its decision, fit to be shown: no token, no key, no claim. */
export interface Explanation {
  readonly request: { readonly method: string; readonly host: string; readonly path: string }
  readonly zone: { readonly id: string; readonly name: string } | null
  readonly operation: {
    readonly operation_id: string
    readonly method: string
    readonly host: string
    readonly endpoint: string
  } | null
  readonly rules: readonly RuleStep[]
  readonly configurations: readonly ConfigurationStep[]
  readonly expression: { readonly source: string; readonly steps: readonly ExpressionStep[] } | null
  readonly decision: Decision
}

export function explanation(judgement: Judgement): Explanation {
  const { request, route, facts, consultations } = judgement
  const { host, zone, matched, rule } = route
  const decision = new Decision(judgement)
  const outcomes = decision.configurations
  return {
    request: { method: request.method, host, path: route.target?.path ?? '' },
    zone: zone && { id: zone.zone.id, name: zone.zone.name },
    operation: matched && { ...matched.operation },
    rules: zone === null ? [] : ruleSteps(zone, route),
    configurations: consultations.map((each, at) => ({
      ...(outcomes[at] as ConfigurationOutcome),
      title: each.configuration.title,
      sources: sourceSteps(each),
      checks: checkSteps(each),
    })),
    expression: rule &&
      facts && { source: rule.predicate.source, steps: expressionSteps(rule, facts) },
    decision,
  }
}

function ruleSteps(zone: CompiledZone, route: Route): readonly RuleStep[] {
  const { matched, rule } = route
  const listed = matched && (canonicalHost(matched.operation.host) ?? '')
  const hosts = listed === null ? [route.host, ...zone.hosts.of(route.host)] : [listed]
  return zone.rules.map((each) => {
    const { id, title } = each
    return { id, title, why: each === rule ? 'decides' : whyNot(each, matched, hosts, rule) }
  })
}

function whyNot(
  { enabled, coverage: { hosts, excluded } }: CompiledRule,
  matched: Route['matched'],
  candidates: readonly string[],
  deciding: CompiledRule | null,
): RuleStep['why'] {
  if (!enabled) return 'disabled'
  if (hosts !== null && !candidates.some((host) => hosts.has(host))) return 'host_not_included'
  if (matched !== null && excluded.has(matched.operation.operation_id)) return 'operation_excluded'
  return deciding === null ? 'no_operation' : 'later_in_order'
}

function sourceSteps({ configuration: { sources }, found }: Consultation): readonly SourceStep[] {
  return sources.map(({ expression }, at) => ({
    expression,
    result:
      at === found.source_index
        ? 'token_taken'
        : found.source_index === null || at < found.source_index
          ? 'empty_or_absent'
          : 'not_tried',
  }))
}

/** The checks of a token in their order, with the verdict that each one's failure gives. */
const CHECKS: readonly (readonly [check: string, failures: readonly string[]])[] = [
  ['present', ['absent']],
  ['unambiguous', ['ambiguous']],
  ['size', ['too_large']],
  ['form', ['malformed']],
  ['crit', ['critical_header']],
  ['alg', ['alg_not_allowed']],
  ['kid', ['unknown_key']],
  ['claims', ['bad_claims']],
  ['exp', ['expired']],
  ['nbf', ['not_yet_valid']],
  ['signature', ['bad_signature', 'unavailable']],
]

function checkSteps({ verdict: { status } }: Consultation): readonly CheckStep[] {
  const failed = CHECKS.findIndex(([, failures]) => failures.includes(status))
  return CHECKS.map(([check], at) => ({
    check,
    result: failed === -1 || at < failed ? 'ok' : at === failed ? 'failed' : 'not_reached',
  }))
}

/** Fields whose values neither carry secrets nor are hidden anywhere else in an explanation. */
const SHOWN = new Set([
  'http.host',
  'http.request.method',
  'http.request.version',
  'http.request.uri.path',
  'http.request.uri.path.extension',
  'http.request.timestamp.sec',
  'http.request.timestamp.msec',
  'ip.src',
  'ssl',
])

function expressionSteps(
  { predicate }: CompiledRule,
  facts: NonNullable<Judgement['facts']>,
): readonly ExpressionStep[] {
  const hidden = predicate.uses.fields.filter((field) => !SHOWN.has(field))
  try {
    return trace(predicate, facts).map((step) => ({ ...step, value: shown(step, hidden) }))
  } catch {
    // What broke the judging breaks this as well; the decision says so.
    return []
  }
}

/** True and false tell nothing that the decision does not; other values only of harmless fields. */
function shown({ text, value }: TraceStep, hidden: readonly string[]): unknown {
  const open = value === undefined || typeof value === 'boolean'
  return open || !hidden.some((field) => text.includes(field)) ? value : '[redacted]'
}
