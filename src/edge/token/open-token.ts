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

/** Room for the bytes of one token: a buffer of their own would cost more than their reading. */
let scratch = new Uint8Array(4096)

/**
 * Takes a token apart; `undefined` unless payload and signature are strict base64url. Their bytes
 * stay until the next token takes their place.
 */
export function openToken(token: string): OpenToken | undefined {
  const first = token.indexOf('.')
  const second = token.indexOf('.', first + 1)
  if (second < 0) return undefined
  if (token.length > scratch.length) scratch = new Uint8Array(token.length)
  // A further dot is outside of the alphabet, so it ends here as well.
  const signature = read(token.slice(second + 1), 0)
  const payload = signature && read(token.slice(first + 1, second), signature.length)
  return (
    payload && {
      header: token.slice(0, first),
      payload,
      signingInput: token.slice(0, second),
      signature,
    }
  )
}

function read(text: string, start: number): Uint8Array<ArrayBuffer> | undefined {
  return decodeBase64Url(text, scratch.subarray(start, start + ((text.length * 3) >> 2)))
}
