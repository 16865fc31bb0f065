import { render, type ProblemContext, type Rendered } from '../problem/index.js'
import type { EdgeErrors } from '../edge-errors/index.js'
import type { Decision, GateRequest } from '../gate/index.js'

/** How the zone itself answers edge errors, and the request that it is asked about. */
export interface OwnAnswers {
  readonly errors: EdgeErrors
  readonly request: GateRequest
}

/**
 * The answer to a blocked request: the structured error of its code in the form that `accept`
 * asks for, with the decision's status and challenge (spec 7.2; RFC 6750 section 3). With `own`
 * the zone's error rules and pages come first.
 *
 * @throws {TypeError} for a decision that blocks nothing.
 */
export function refusal(
  { status, error_code, challenge }: Decision,
  accept: string | null | undefined,
  context: ProblemContext,
  own?: OwnAnswers,
): Rendered {
  if (status === null || error_code === null) throw new TypeError('the decision blocks nothing')
  const extra = challenge === null ? [] : [['www-authenticate', challenge] as const]
  const here = { ...context, status, headers: [...extra, ...(context.headers ?? [])] }
  return own === undefined
    ? render(error_code, accept, here)
    : own.errors.answer({ code: error_code, request: own.request }, here)
}
