import { PolicyError } from '../edge/index.js'
import { faultText } from './fault-text.js'

/** Why a policy is not in force: the first fault that was found in it. */
export interface Reason {
  readonly code: string
  readonly message: string
  readonly pointer: string
}

/** The reason in what putting a policy in force threw. */
export function whyRefused(cause: unknown): Reason {
  const [issue] = cause instanceof PolicyError ? cause.issues : []
  if (issue === undefined) return { code: 'not_applied', message: wordsOf(cause), pointer: '' }
  const { code, message, pointer } = issue
  return { code, message, pointer }
}

/** The fault below the wrapping that `fetch` puts around it. */
export function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const { cause: inner } = cause
  return faultText(inner instanceof Error ? inner : cause)
}

/** A reason as long as management takes it. */
export const inShort = ({ code, message, pointer }: Reason): Reason => ({
  code: code.slice(0, 64),
  message: message.slice(0, 1000),
  pointer: pointer.slice(0, 1000),
})
