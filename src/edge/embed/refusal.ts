import { render, type ProblemContext, type Rendered } from '../problem/index.js'
import type { Decision } from '../gate/index.js'

/**
 * The answer to a blocked request: the structured error of its code in the form that `accept`
 * asks for, with the decision's status and challenge (spec 7.2; RFC 6750 section 3).
 *
 * @throws {TypeError} for a decision that blocks nothing.
 */
export function refusal(
  { status, error_code, challenge }: Decision,
  accept: string | null | undefined,
  context: ProblemContext,
): Rendered {
  if (status === null || error_code === null) throw new TypeError('the decision blocks nothing')
  const extra = challenge === null ? [] : [['www-authenticate', challenge] as const]
  return render(error_code, accept, {
    ...context,
    status,
    headers: [...extra, ...(context.headers ?? [])],
  })
}
