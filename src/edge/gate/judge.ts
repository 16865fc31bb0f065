import { normalisePath, requestHost } from '../selector/index.js'
import type { Verdict, Verifier } from '../token/index.js'
import type { CompiledOperation, CompiledRule, CompiledZone } from './compiled-zone.js'
import type { Consultation } from './consultation.js'
import type { Judgement } from './decision.js'
import { findToken, type FoundToken } from './find-token.js'
import type { GateRequest } from './gate-request.js'
import { BAD_REQUEST, INTERNAL_ERROR, isValid, refuse, UNKNOWN_HOST } from './refuse.js'
import { RequestFacts, type Target } from './request-facts.js'

/** A policy in force: everything a request is judged by. Never changed, only replaced. */
export interface GateState {
  readonly epoch: number
  readonly zones: ReadonlyMap<string, CompiledZone>
}

/** How far a request came before any token was looked at. */
export interface Route {
  readonly zone: CompiledZone | null
  readonly matched: CompiledOperation | null
  readonly rule: CompiledRule | null
  readonly host: string
  readonly target: Target | null
}

/** What judging needs beside the request. */
export interface Court {
  readonly state: GateState
  readonly verifier: Verifier
  /** Milliseconds since the epoch: one reading for the whole request. */
  readonly now: number
  readonly unknownHost: 'refuse' | 'pass'
}

const ABSENT: Verdict = { status: 'absent', key: null, claims: undefined }
const AMBIGUOUS: Verdict = { status: 'ambiguous', key: null, claims: undefined }
const NOTHING: readonly Consultation[] = []

/** Judges a request; a promise only where the verifier gives one. Never throws, never rejects. */
export function judge(request: GateRequest, court: Court): Judgement | Promise<Judgement> {
  const route = findRoute(request, court.state)
  const { zone, rule, target } = route
  if (zone === null || rule === null || target === null) return settled(request, route, court)
  const found = rule.configurations.map(({ sources }) =>
    findToken(request, sources, zone.settings.ambiguous_tokens === 'reject'),
  )
  const verdicts = verify(rule, found, court)
  return verdicts instanceof Promise
    ? verdicts.then((known) => conclude(request, route, found, known, court))
    : conclude(request, route, found, verdicts, court)
}

/** Host to zone, method and path to operation, operation to rule. */
export function findRoute(request: GateRequest, { zones }: GateState): Route {
  const host = requestHost(request.host)
  const zone = zoneOf(host, zones)
  const target = zone === null ? null : splitTarget(request.target, zone.settings.merge_slashes)
  if (zone === null || target === null) return { zone, matched: null, rule: null, host, target }
  const matched = zone.router.match(request.method, host, target.path) ?? null
  if (matched !== null) return { zone, matched, rule: matched.rule, host, target }
  const cover = zone.settings.unlisted_operations === 'cover'
  const rule = cover ? zone.covering.ofHosts([host, ...zone.hosts.of(host)]) : null
  return { zone, matched, rule, host, target }
}

/** The zone with the longest name that the host is, or is below. */
function zoneOf(host: string, zones: ReadonlyMap<string, CompiledZone>): CompiledZone | null {
  let name = host
  for (;;) {
    const zone = zones.get(name)
    if (zone !== undefined) return zone
    const dot = name.indexOf('.')
    if (dot === -1) return null
    name = name.slice(dot + 1)
  }
}

function splitTarget(target: string, mergeSlashes: boolean): Target | null {
  if (target.charCodeAt(0) !== 47) return target === '*' ? ASTERISK : null
  const hash = target.indexOf('#')
  const sent = hash === -1 ? target : target.slice(0, hash)
  const mark = sent.indexOf('?')
  const rawPath = mark === -1 ? sent : sent.slice(0, mark)
  const query = mark === -1 ? null : sent.slice(mark + 1)
  return { path: normalisePath(rawPath, mergeSlashes), query, rawPath }
}

/** `OPTIONS *` asks about the server, not about a path (RFC 9110 section 7.1). */
const ASTERISK: Target = { path: '*', query: null, rawPath: '*' }

function verify(
  { configurations }: CompiledRule,
  found: readonly FoundToken[],
  { verifier, now }: Court,
): readonly Verdict[] | Promise<readonly Verdict[]> {
  let pending = false
  const verdicts = configurations.map(({ keySet }, at) => {
    const { token = null, ambiguous = false } = found[at] ?? {}
    if (token === null) return ABSENT
    if (ambiguous) return AMBIGUOUS
    const verdict = verifier.verify(token, keySet, now / 1000)
    pending ||= verdict instanceof Promise
    return verdict
  })
  return pending ? Promise.all(verdicts) : (verdicts as readonly Verdict[])
}

/** A request that no rule decides. */
function settled(request: GateRequest, route: Route, { state, unknownHost }: Court): Judgement {
  const { zone, matched, target } = route
  const base = { ...passed(request, route, state, NOTHING, null), rule: null }
  if (zone === null && unknownHost === 'refuse')
    return { ...base, action: 'block', reason: 'unknown_host', refusal: UNKNOWN_HOST }
  if (zone === null) return { ...base, reason: 'unknown_host' }
  if (target === null)
    return { ...base, action: 'block', reason: 'bad_request', refusal: BAD_REQUEST }
  return { ...base, reason: matched === null ? 'unlisted' : 'not_covered' }
}

function passed(
  request: GateRequest,
  { zone, matched, rule, target }: Route,
  { epoch }: GateState,
  consultations: readonly Consultation[],
  facts: RequestFacts | null,
): Judgement {
  return {
    action: 'pass',
    reason: 'satisfied',
    zone,
    matched,
    rule,
    consultations,
    facts,
    failure: null,
    refusal: null,
    target: target === null ? request.target : forwarded(target),
    epoch,
  }
}

const forwarded = ({ path, query }: Target): string => (query === null ? path : `${path}?${query}`)

/** With every verdict known, the expression says whether the rule's action applies. */
function conclude(
  request: GateRequest,
  route: Route,
  found: readonly FoundToken[],
  verdicts: readonly Verdict[],
  { state, now }: Court,
): Judgement {
  const rule = route.rule as CompiledRule
  const zone = route.zone as CompiledZone
  const consultations = consultationsOf(rule, found, verdicts)
  const facts = new RequestFacts(request, route.target as Target, now, consultations)
  const base = passed(request, route, state, consultations, facts)
  let broken = false
  try {
    if (rule.predicate.test(facts)) return base
  } catch {
    // A checked expression is total; if that is ever untrue, a block rule must not be passed.
    broken = true
  }
  broken ||= verdicts.some(({ status }) => status === 'unavailable')
  const { action } = rule
  if (broken) {
    const failed = { ...base, action, reason: 'internal_error' } as const
    return action === 'block'
      ? { ...failed, failure: 'closed', refusal: INTERNAL_ERROR }
      : { ...failed, failure: 'open' }
  }
  const tokenless = consultations.length > 0 && !consultations.some(isValid)
  const reason = tokenless ? 'no_valid_token' : 'expression_failed'
  const refusal = action === 'block' ? refuse(zone, consultations) : null
  return { ...base, action, reason, refusal }
}

function consultationsOf(
  { configurations }: CompiledRule,
  found: readonly FoundToken[],
  verdicts: readonly Verdict[],
): readonly Consultation[] {
  return configurations.map((configuration, at) => ({
    configuration,
    found: found[at] as FoundToken,
    verdict: verdicts[at] as Verdict,
  }))
}
