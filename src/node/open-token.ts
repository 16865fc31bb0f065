import { openToken as openPortably, type OpenToken } from '../edge/token/index.js'
import { scratchOf, writeScratch } from './scratch.js'

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
  if (writeScratch(token, 'utf8') > token.length) return openPortably(token)
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
