import { keepingLast } from '../edge/token/index.js'
import { decodeSegment } from './decode-segment.js'
import { Room } from './room.js'

const signatures = new Room()
const payloads = new Room()

/**
 * Takes a token apart as the portable reader does, with the decoders of Node and Bun. The bytes are
 * good until the next token.
 */
export const openToken = keepingLast((token) => {
  const first = token.indexOf('.')
  const second = token.indexOf('.', first + 1)
  // The decoder takes both alphabets of base64.
  if (second < 0 || token.includes('+', first) || token.includes('/', first)) return undefined
  const signature = decodeSegment(token.slice(second + 1), signatures)
  const payload = decodeSegment(token.slice(first + 1, second), payloads)
  return (
    signature &&
    payload && {
      header: token.slice(0, first),
      payload,
      signingInput: token.slice(0, second),
      signature,
    }
  )
})
