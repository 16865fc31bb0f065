import { openToken as openPortably, type OpenToken } from '../edge/token/index.js'
import { Room } from './room.js'

const tokens = new Room()
const signatures = new Room()
const payloads = new Room()
/** The token in its room. */
let held = ''

/**
 * Takes a token apart as the portable reader does, with the decoders of Node and Bun. Those are quick
 * and forgiving: what they let pass is found around them. The bytes are good until the next token.
 */
export function openToken(token: string): OpenToken | undefined {
  const first = token.indexOf('.')
  const second = token.indexOf('.', first + 1)
  // The decoder takes both alphabets of base64.
  if (second < 0 || token.includes('+', first) || token.includes('/', first)) return undefined
  // More bytes than characters: not all of it is ASCII.
  if (hold(token) > token.length) return openPortably(token)
  const signature = decode(token.slice(second + 1), signatures)
  const payload = decode(token.slice(first + 1, second), payloads)
  return (
    signature &&
    payload && {
      header: token.slice(0, first),
      payload,
      signingInput: tokens.first(second),
      signature,
    }
  )
}

/** The same text, which is in ASCII, in storage of its own: mostly that of the token just opened. */
export function detach(text: string): string {
  if (text !== held) hold(text)
  return tokens.text(text.length)
}

function hold(text: string): number {
  held = text
  return tokens.write(text, 'utf8')
}

/** What the last character of a canonical text may be, by how many characters follow the last four. */
const LAST = ['', '', 'AQgw', 'AEIMQUYcgkosw048']

/** Bytes of the canonical base64url of a text in ASCII without `+` and `/`. */
function decode(text: string, room: Room): Buffer<ArrayBuffer> | undefined {
  const length = room.write(text, 'base64url')
  const rest = text.length & 3
  // Characters outside of the alphabet are skipped, which leaves fewer bytes.
  const isCanonical =
    length === (text.length * 3) >> 2 &&
    (rest === 0 || LAST[rest]!.includes(text.charAt(text.length - 1)))
  return isCanonical ? room.first(length) : undefined
}
