import { message, type Message } from './message.js'

/** A call that cannot be answered. The app turns it into the envelope; nothing else does. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly errors: readonly Message[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: number,
    text: string,
    pointer?: string,
    {
      errors = [message(code, text, pointer)],
      headers = {},
    }: Partial<Pick<ApiError, 'errors' | 'headers'>> = {},
  ) {
    super(text)
    this.status = status
    this.errors = errors
    this.headers = headers
  }

  /** The same with several messages, of which there is at least one. */
  static of(status: number, errors: readonly Message[]): ApiError {
    const { code, message: text } = errors[0]!
    return new ApiError(status, code, text, undefined, { errors })
  }
}
