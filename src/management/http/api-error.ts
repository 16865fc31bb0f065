import { message, type Message } from './message.js'

/** A call that cannot be answered. The app turns it into the envelope; nothing else does. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly errors: readonly Message[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    errors: readonly Message[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(errors[0]?.message ?? `status ${status}`)
    this.status = status
    this.errors = errors
    this.headers = headers
  }
}

/** The same with a single message. */
export function apiError(status: number, code: number, text: string, pointer?: string): ApiError {
  return new ApiError(status, [message(code, text, pointer)])
}
