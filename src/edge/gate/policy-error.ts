/** One thing wrong (or noteworthy) in a policy: where, what was expected, what to do. */
export interface PolicyIssue {
  /** Stable, such as `missing_member` or `unknown_field`. */
  readonly code: string
  readonly message: string
  /** JSON pointer (RFC 6901) into the policy document. */
  readonly pointer: string
  /** Of an expression, counted from 1. */
  readonly line?: number
  readonly column?: number
  /** Of an expression: the source line and a caret line under the fault. */
  readonly frame?: string
}

/** A policy that does not compile. Nothing of it is in force; a running policy goes on. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError'
  readonly code = 'invalid_policy'
  readonly issues: readonly PolicyIssue[]

  constructor(issues: readonly PolicyIssue[]) {
    const [first] = issues
    const rest = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
    super(`${first?.pointer}: ${first?.message}${rest}`)
    this.issues = issues
  }
}
