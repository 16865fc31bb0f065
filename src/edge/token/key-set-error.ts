/** What is wrong with a key; stable, for programs. */
export type KeySetErrorCode =
  | 'invalid_keys'
  | 'too_many_keys'
  | 'no_keys'
  | 'invalid_key'
  | 'missing_member'
  | 'invalid_member'
  | 'private_member'
  | 'kind_mismatch'
  | 'wrong_use'
  | 'weak_key'
  | 'curve_mismatch'
  | 'invalid_point'
  | 'secret_is_key'
  | 'duplicate_key'

/** One fault: where it is (a JSON Pointer such as `/keys/0/n`) and what to do about it. */
export interface KeyIssue {
  readonly code: KeySetErrorCode
  readonly pointer: string
  readonly message: string
}

/** Keys that cannot be used. Code, pointer and message are those of the first fault. */
export class KeySetError extends Error {
  override readonly name = 'KeySetError'
  readonly code: KeySetErrorCode
  readonly pointer: string
  /** All faults, in the order of the keys. */
  readonly issues: readonly KeyIssue[]

  constructor(issues: readonly KeyIssue[]) {
    const { code, pointer, message } = issues[0]!
    super(message)
    this.code = code
    this.pointer = pointer
    this.issues = issues
  }
}
