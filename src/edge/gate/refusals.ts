import type { Consultation } from './consultation.js'
import type { DecisionReason, Refusal } from './decision.js'
import type { ZoneSettings } from './policy.js'

/** The edge error of a request that a rule blocks: `firewall_rule_blocked`. */
const BLOCKED = 1020

export const UNKNOWN_HOST: Refusal = { status: 530, error_code: 1018, challenge: null }
export const BAD_REQUEST: Refusal = { status: 400, error_code: BLOCKED, challenge: null }
export const INTERNAL_ERROR: Refusal = { status: 500, error_code: 500, challenge: null }

/** How a zone answers a blocked request, by what was the cause. */
export interface Refusals {
  /** A valid token, or no question of tokens, failed the expression. */
  readonly expression: Refusal
  /** The request has no token. */
  readonly absent: Refusal
  /** It has one that is not valid. */
  readonly invalid: Refusal
}

/** 401 with a challenge (RFC 6750 section 3) where no valid token was the cause, else 403. */
export function refusalsOf(
  name: string,
  block_status: Required<ZoneSettings>['block_status'],
): Refusals {
  const challenge = `Bearer realm="${name}"`
  const refusal = (auto: number, error = ''): Refusal => {
    const status = block_status === 'auto' ? auto : block_status
    return { status, error_code: BLOCKED, challenge: status === 401 ? challenge + error : null }
  }
  return {
    expression: refusal(403),
    absent: refusal(401),
    invalid: refusal(401, ', error="invalid_token"'),
  }
}

/** The one that a reason calls for. */
export function refusalOf(
  refusals: Refusals,
  consultations: readonly Consultation[],
  reason: DecisionReason,
): Refusal {
  if (reason !== 'no_valid_token') return refusals.expression
  return consultations.some(({ found }) => found.token !== null)
    ? refusals.invalid
    : refusals.absent
}
