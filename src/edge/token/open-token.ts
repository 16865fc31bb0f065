import { decodeBase64Url } from './base64url.js'
import { keepingLast, type Open } from './keeping-last.js'

/** The parts of a compact JWS (RFC 7515 7.1): nothing of them is known but their spelling. */
export interface OpenToken {
  /** The first segment, as it stands. */
  readonly header: string
  readonly payload: Uint8Array
  /** What is before the second dot: in ASCII where the header names a key. */
  readonly signingInput: string
  readonly signature: Uint8Array<ArrayBuffer>
}

/** Longer tokens get buffers of their own, which cost more than reading the others. */
const scratch = new Uint8Array(4096)

/**
 * Takes a token apart; `undefined` unless payload and signature are strict base64url. Their bytes
 * stay until the next token takes their place.
 */
export const openToken: Open = keepingLast((token) => {
  const first = token.indexOf('.')
  const second = token.indexOf('.', first + 1)
  if (second < 0) return undefined
  const room = token.length > scratch.length ? undefined : scratch
  // A further dot is outside of the alphabet, so it ends here as well.
  const signature = decodeBase64Url(token.slice(second + 1), room)
  const payload =
    signature && decodeBase64Url(token.slice(first + 1, second), room, signature.length)
  return (
    payload && {
      header: token.slice(0, first),
      payload,
      signingInput: token.slice(0, second),
      signature,
    }
  )
})
