import { ExpressionError, type ExpressionNotice } from '../expression/index.js'
import { KeySetError } from '../token/index.js'
import type { PolicyIssue } from './policy-error.js'

/** Collects what is wrong (errors) and what is odd (notices) while a policy is read, by place. */
export class Report {
  readonly errors: PolicyIssue[]
  readonly notices: PolicyIssue[]
  readonly #pointer: string

  constructor(pointer: string = '', errors: PolicyIssue[] = [], notices: PolicyIssue[] = []) {
    this.#pointer = pointer
    this.errors = errors
    this.notices = notices
  }

  /** The same report at a place further down: names of members, positions in lists (RFC 6901). */
  at(...steps: readonly (string | number)[]): Report {
    const escaped = steps.map((step) => `${step}`.replaceAll('~', '~0').replaceAll('/', '~1'))
    return this.below(`/${escaped.join('/')}`)
  }

  /** The same, by a pointer. */
  below(pointer: string): Report {
    return new Report(this.#pointer + pointer, this.errors, this.notices)
  }

  error(code: string, message: string, place?: Partial<PolicyIssue>): void {
    this.errors.push({ code, message, pointer: this.#pointer, ...place })
  }

  notice(code: string, message: string, place?: Partial<PolicyIssue>): void {
    this.notices.push({ code, message, pointer: this.#pointer, ...place })
  }

  /** Reports what an earlier report noticed below this place. */
  keep(notices: readonly PolicyIssue[]): void {
    const place = `${this.#pointer}/`
    this.notices.push(...notices.filter(({ pointer }) => pointer.startsWith(place)))
  }

  /** Reports a value that was seen before in `seen`, and adds it. */
  once(seen: Set<string>, value: string, code: string = 'duplicate_id'): void {
    if (seen.has(value)) this.error(code, 'expected a value of its own')
    seen.add(value)
  }

  /** What the compiler of expressions has to say, with the place in the expression. */
  warnings(warnings: readonly ExpressionNotice[]): void {
    for (const { code, message, line, column } of warnings)
      this.notice(code, message, { line, column })
  }

  /** The result of compiling something; `undefined` when it is none, which is reported. */
  attempt<Result>(run: () => Result): Result | undefined {
    try {
      return run()
    } catch (fault) {
      if (fault instanceof ExpressionError) {
        const { code, message, line, column, frame } = fault
        this.error(code, message, { line, column, frame })
      } else if (fault instanceof KeySetError) {
        for (const { code, message, pointer } of fault.issues)
          this.below(pointer).error(code, message)
      } else if (fault instanceof TypeError) {
        // What `compile` throws for an item that a named list cannot hold.
        this.error('bad_list', fault.message)
      } else {
        throw fault
      }
      return undefined
    }
  }
}
