import { openToken as openPortably, type OpenToken } from '../edge/token/index.js'

/** Room for what is read at once and never handed out to keep. */
let scratch = Buffer.allocUnsafeSlow(1 << 16)
/** UTF-8 has at most three bytes for a character of a string. */
const BYTES_PER_CHARACTER = 3

/**
 * The bytes of a text, until this is called again: a buffer of its own would cost each token more
 * than its reading.
 */
export function scratchOf(text: string, encoding: 'latin1' | 'base64url'): Buffer<ArrayBuffer> {
  return scratch.subarray(0, written(text, encoding))
}

function written(text: string, encoding: 'latin1' | 'base64url' | 'utf8'): number {
  const room = text.length * BYTES_PER_CHARACTER
  if (room > scratch.length) scratch = Buffer.allocUnsafeSlow(room)
  return scratch.write(text, encoding)
}

/**
 * Takes a token apart as the portable reader does, with the decoders of Node and Bun. Those are quick
 * and forgiving: what they let pass is found around them.
 */
export function openToken(token: string): OpenToken | undefined {
  const first = token.indexOf('.')
  const second = token.indexOf('.', first + 1)
  // The decoder takes both alphabets of base64.
  if (second < 0 || token.includes('+', first) || token.includes('/', first)) return undefined
  // More bytes than characters: not all of it is ASCII.
  if (written(token, 'utf8') > token.length) return openPortably(token)
  const sent = token.slice(second + 1)
  const signature = Buffer.from(sent, 'base64url')
  if (!isSpelling(sent, signature)) return undefined
  const claims = token.slice(first + 1, second)
  const payload = scratchOf(claims, 'base64url')
  if (!isSpelling(claims, payload)) return undefined
  return { header: token.slice(0, first), payload, signingInput: token.slice(0, second), signature }
}

/** What the last character of a canonical text may be, by how many characters follow the last four. */
const LAST = ['', '', 'AQgw', 'AEIMQUYcgkosw048']

/** Whether a text in ASCII without `+` and `/` is the canonical base64url of what it was decoded to. */
function isSpelling(text: string, { length }: Uint8Array): boolean {
  const rest = text.length & 3
  // Characters outside of the alphabet are skipped, which leaves fewer bytes.
  return (
    length === (text.length * 3) >> 2 &&
    (rest === 0 || LAST[rest]!.includes(text.charAt(text.length - 1)))
  )
}
