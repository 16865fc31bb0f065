import type { VerdictStatus } from '../token/index.js'
import type { Consultation } from './consultation.js'
import type { GateRequest } from './gate-request.js'
import type { RequestFacts } from './request-facts.js'
import { forwardTarget, type Route } from './route.js'

/** Why a request passed, was logged or was blocked. */
export type DecisionReason =
  /** The host belongs to no zone of the gate. */
  | 'unknown_host'
  /** The host is none, the target no path, or one that leads elsewhere for some origins. */
  | 'bad_request'
  /** No operation matches. */
  | 'unlisted'
  /** No rule covers the operation. */
  | 'not_covered'
  /** The rule's expression holds. */
  | 'satisfied'
  /** It does not, and no token it asks for is valid. */
  | 'no_valid_token'
  /** It does not, although a token is valid. */
  | 'expression_failed'
  /** Judging itself failed; see `failure`. */
  | 'internal_error'

/** What became of one token configuration. Never holds token text or claims. */
export interface ConfigurationOutcome {
  readonly id: string
  readonly present: boolean
  readonly valid: boolean
  readonly reason: VerdictStatus
  /** Position in `token_sources` of the source that gave the token. */
  readonly source_index: number | null
  readonly key: { readonly alg: string; readonly kid: string } | null
}

/** What blocking means on the wire. */
export interface Refusal {
  readonly status: number
  /** Edge error code: 1020 for a rule, 500 for an internal error, 1018 for an unknown host. */
  readonly error_code: number
  /** Value of WWW-Authenticate (RFC 6750), with status 401. */
  readonly challenge: string | null
}

/** What a decision is made from. */
export interface Judgement {
  readonly request: GateRequest
  readonly route: Route
  readonly epoch: number
  readonly consultations: readonly Consultation[]
  /** What the expression saw; null when no rule decided. */
  readonly facts: RequestFacts | null
  readonly action: 'pass' | 'log' | 'block'
  readonly reason: DecisionReason
  readonly failure: 'open' | 'closed' | null
  readonly refusal: Refusal | null
}

/** What a decision was made from, for this room alone: it holds tokens and claims. */
export let judgementOf: (decision: Decision) => Judgement

/** A decision as JSON: what a log may hold. */
export type DecisionRecord = Pick<
  Decision,
  | 'action'
  | 'reason'
  | 'zone'
  | 'operation'
  | 'rule'
  | 'failure'
  | 'status'
  | 'error_code'
  | 'epoch'
  | 'configurations'
>

/**
 * The answer of the gate to one request, as data. Details are made when asked for. As JSON it
 * holds neither token nor claim.
 */
export class Decision {
  static {
    judgementOf = (decision) => decision.#judgement
  }
  readonly action: 'pass' | 'log' | 'block'
  readonly reason: DecisionReason
  /** Id of the zone, or null for an unknown host. */
  readonly zone: string | null
  /** `operation_id` of the matched operation. */
  readonly operation: string | null
  /** Id of the one rule that decided. */
  readonly rule: string | null
  /** With `internal_error`: block rules fail closed, log rules open. */
  readonly failure: 'open' | 'closed' | null
  /** HTTP status of a blocked request. */
  readonly status: number | null
  /** Edge error code of a blocked request. */
  readonly error_code: number | null
  /** Counts the policies of this gate, from 1: the one that decided. */
  readonly epoch: number
  readonly #judgement: Judgement

  constructor(judgement: Judgement) {
    const { route, refusal } = judgement
    this.action = judgement.action
    this.reason = judgement.reason
    this.zone = route.zone && route.zone.zone.id
    this.operation = route.matched && route.matched.operation.operation_id
    this.rule = route.rule && route.rule.id
    this.failure = judgement.failure
    this.status = refusal && refusal.status
    this.error_code = refusal && refusal.error_code
    this.epoch = judgement.epoch
    this.#judgement = judgement
  }

  /** Normalised path and query: what was judged, and what must be forwarded. */
  get target(): string {
    return forwardTarget(this.#judgement.route, this.#judgement.request)
  }

  /** WWW-Authenticate of a blocked request. */
  get challenge(): string | null {
    return this.#judgement.refusal?.challenge ?? null
  }

  /** One entry for each configuration that the rule asks about. */
  get configurations(): readonly ConfigurationOutcome[] {
    return this.#judgement.consultations.map(({ configuration: { id }, found, verdict }) => ({
      id,
      present: found.token !== null,
      valid: verdict.status === 'valid',
      reason: verdict.status,
      source_index: found.source_index,
      key: verdict.key,
    }))
  }

  /** Without the target, whose query may hold a token. */
  toJSON(): DecisionRecord {
    return { ...this, configurations: this.configurations }
  }
}
