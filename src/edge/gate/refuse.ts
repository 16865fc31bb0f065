import type { CompiledZone } from './compiled-zone.js'
import type { Consultation } from './consultation.js'
import type { DecisionReason, Refusal } from './decision.js'

/** The edge error of a request that a rule blocks: `firewall_rule_blocked`. */
const BLOCKED = 1020

export const UNKNOWN_HOST: Refusal = { status: 530, error_code: 1018, challenge: null }
export const BAD_REQUEST: Refusal = { status: 400, error_code: BLOCKED, challenge: null }
export const INTERNAL_ERROR: Refusal = { status: 500, error_code: 500, challenge: null }

/**
 * How a blocked request is answered: 401 with a challenge (RFC 6750 section 3) when no valid token
 * was the cause, 403 when a valid token, or no question of tokens, failed the expression.
 */
export function refuse(
  { name, settings: { block_status } }: CompiledZone,
  consultations: readonly Consultation[],
  reason: DecisionReason,
): Refusal {
  const tokenless = reason === 'no_valid_token'
  const status = block_status === 'auto' ? (tokenless ? 401 : 403) : block_status
  const invalid = tokenless && consultations.some(({ found }) => found.token !== null)
  const challenge =
    status === 401 ? `Bearer realm="${name}"${invalid ? ', error="invalid_token"' : ''}` : null
  return { status, error_code: BLOCKED, challenge }
}
