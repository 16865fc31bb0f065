import { decodeBase64Url } from './base64url.js'

/** The parts of a compact JWS (RFC 7515 7.1): nothing of them is known but their spelling. */
export interface OpenToken {
  /** The first segment, as it stands. */
  readonly header: string
  readonly payload: Uint8Array
  /** In ASCII. */
  readonly signingInput: string | Uint8Array<ArrayBuffer>
  readonly signature: Uint8Array<ArrayBuffer>
}

/** Takes a token apart; `undefined` unless payload and signature are strict base64url. */
export function openToken(token: string): OpenToken | undefined {
  const first = token.indexOf('.')
  const second = token.indexOf('.', first + 1)
  if (second < 0) return undefined
  // A further dot is outside of the alphabet, so it ends here as well.
  const signature = decodeBase64Url(token.slice(second + 1))
  const payload = decodeBase64Url(token.slice(first + 1, second))
  return (
    signature &&
    payload && {
      header: token.slice(0, first),
      payload,
      signingInput: token.slice(0, second),
      signature,
    }
  )
}
