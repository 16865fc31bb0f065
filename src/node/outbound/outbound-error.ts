/**
 * What can go wrong with a call: `bad_url` names nothing that may be asked, `address_refused` lies
 * where nobody outside may send us, `redirected` answers with another place, `unreadable` is
 * compressed although it was asked not to be.
 */
export type OutboundErrorCode =
  | 'bad_url'
  | 'address_refused'
  | 'unreachable'
  | 'tls_failed'
  | 'timeout'
  | 'too_large'
  | 'redirected'
  | 'unreadable'

/** A call that gave no answer. The message holds nothing that was answered. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly code: OutboundErrorCode

  constructor(code: OutboundErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
