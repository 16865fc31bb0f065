import { refuse as withoutClaims, type Verdict, type Verifier } from '../token/index.js'
import type { Consultation } from './consultation.js'
import type { DecisionReason, Judgement, Refusal } from './decision.js'
import { findToken } from './find-token.js'
import type { GateRequest } from './gate-request.js'
import { BAD_REQUEST, INTERNAL_ERROR, refusalOf, UNKNOWN_HOST } from './refusals.js'
import { RequestFacts, trusting } from './request-facts.js'
import { findRoute, isCovered, type CoveredRoute, type GateState, type Route } from './route.js'

/** What judging needs beside the request. */
export interface Court {
  readonly state: GateState
  readonly verifier: Verifier
  /** Milliseconds since the epoch: one reading for the whole request. */
  readonly now: number
  readonly unknownHost: 'refuse' | 'pass'
}

/** A consultation that may not have come to its end. */
interface Asked extends Omit<Consultation, 'verdict'> {
  verdict: Verdict | Promise<Verdict>
}

const NOBODY: readonly Consultation[] = []
const AMBIGUOUS = withoutClaims('ambiguous')

/** What is made of a judgement. Made at once, as every further promise takes its time. */
type Form<Result> = (judgement: Judgement) => Result

/** Judges a request; a promise only where the verifier gives one. Never throws, never rejects. */
export function judge<Result>(
  request: GateRequest,
  court: Court,
  form: Form<Result>,
): Result | Promise<Result> {
  const route = findRoute(request, court.state)
  if (!isCovered(route)) return form(uncovered(request, route, court))
  let asked: readonly Asked[]
  try {
    asked = consult(request, route, court)
  } catch {
    // Whoever embeds the gate cannot read the request.
    return form(conclude(request, route, NOBODY, court, null))
  }
  return asked.some(({ verdict }) => verdict instanceof Promise)
    ? concludeLater(request, route, asked, court, form)
    : form(conclude(request, route, asked as Consultation[], court))
}

/** All are under way: waiting for one after the other takes no longer than the longest. */
async function concludeLater<Result>(
  request: GateRequest,
  route: CoveredRoute,
  asked: readonly Asked[],
  court: Court,
  form: Form<Result>,
): Promise<Result> {
  for (const each of asked) each.verdict = await each.verdict
  return form(conclude(request, route, asked as Consultation[], court))
}

/** A request that no rule decides. */
function uncovered(request: GateRequest, route: Route, { state, unknownHost }: Court): Judgement {
  const { zone, matched, target } = route
  const [reason, refusal]: readonly [DecisionReason, Refusal | null] =
    target === null
      ? ['bad_request', BAD_REQUEST]
      : zone === null
        ? ['unknown_host', unknownHost === 'refuse' ? UNKNOWN_HOST : null]
        : [matched === null ? 'unlisted' : 'not_covered', null]
  return {
    request,
    route,
    epoch: state.epoch,
    consultations: NOBODY,
    facts: null,
    action: refusal === null ? 'pass' : 'block',
    reason,
    failure: null,
    refusal,
  }
}

/** Finds and verifies the tokens that the rule asks about. */
function consult(
  request: GateRequest,
  { zone, rule }: CoveredRoute,
  { verifier, now }: Court,
): readonly Asked[] {
  const lookForOthers = zone.settings.ambiguous_tokens === 'reject'
  return rule.configurations.map((configuration) => {
    const found = findToken(request, configuration.sources, lookForOthers)
    const verdict = found.ambiguous
      ? AMBIGUOUS
      : verifier.verify(found.token, configuration.keySet, now / 1000, found.spare)
    return { configuration, found, verdict }
  })
}

/**
 * With every verdict known, the expression says whether the rule's action applies.
 *
 * @param facts null where they cannot be had
 */
function conclude(
  request: GateRequest,
  route: CoveredRoute,
  consultations: readonly Consultation[],
  { state, now }: Court,
  facts: RequestFacts | null = new RequestFacts(request, route.target, now, consultations),
): Judgement {
  const { zone, rule } = route
  const reason = facts ? reasonOf(route, facts) : 'internal_error'
  const broken = reason === 'internal_error'
  const blocks = reason !== 'satisfied' && rule.action === 'block'
  return {
    request,
    route,
    epoch: state.epoch,
    consultations,
    facts,
    action: reason === 'satisfied' ? 'pass' : rule.action,
    reason,
    failure: broken ? (blocks ? 'closed' : 'open') : null,
    refusal: blocks
      ? broken
        ? INTERNAL_ERROR
        : refusalOf(zone.refusals, consultations, reason)
      : null,
  }
}

function reasonOf({ rule: { predicate } }: CoveredRoute, facts: RequestFacts): DecisionReason {
  const { consultations } = facts
  let unsure = false
  let tokenless = consultations.length > 0
  for (const { verdict } of consultations) {
    if (verdict.status === 'unavailable') unsure = true
    if (verdict.status === 'valid') tokenless = false
  }
  try {
    // Whatever a verdict that nobody could reach would have been, it must not make a request pass.
    if (predicate.test(facts) && (!unsure || predicate.test(trusting(facts)))) return 'satisfied'
  } catch {
    // A checked expression is total; if that is ever untrue, a block rule must not be passed.
    return 'internal_error'
  }
  return unsure ? 'internal_error' : tokenless ? 'no_valid_token' : 'expression_failed'
}
