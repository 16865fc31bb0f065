import type { JsonObject, OpenToken } from '../edge/token/index.js'
import { decodeSegment } from './decode-segment.js'
import {
  BRACE,
  CLOSING,
  COLON,
  COMMA,
  endOfRun,
  includes,
  isBraced,
  nameOf,
  nameOfText,
  QUOTE,
} from './json-scan.js'
import { Room } from './room.js'

const MAX_NAMES = 16

const headers = new Room()

const ALG = nameOfText('alg')
const KID = nameOfText('kid')
/** What is as long and has the same letters at three places is given up as well. */
const CRIT = nameOfText('crit')

const names = new Int32Array(MAX_NAMES)

/**
 * Reads `alg` and `kid` of a token's header, for a fraction of what parsing it costs. Gives up
 * (`undefined`) on whatever is not a compact JSON object of plain texts in ASCII with both of them, and
 * on `crit`.
 */
export function skimHeader({ header, signingInput }: OpenToken): JsonObject | undefined {
  const isDecodable =
    typeof signingInput !== 'string' && !header.includes('+') && !header.includes('/')
  const json = isDecodable ? decodeSegment(header, headers) : undefined
  return json && isBraced(json) ? membersOf(json) : undefined
}

function membersOf(json: Buffer): JsonObject | undefined {
  const text = json.toString('latin1')
  let alg: string | undefined
  let kid: string | undefined
  let known = 0
  let at = 1
  for (;;) {
    const end = json[at] === QUOTE ? endOfRun(json, at + 1) : at
    if (json[end] !== QUOTE || json[end + 1] !== COLON || json[end + 2] !== QUOTE) return undefined
    const name = nameOf(json, at + 1, end)
    if (name === 0 || name === CRIT || known === MAX_NAMES || includes(names, name, 0, known))
      return undefined
    names[known++] = name
    const start = end + 3
    at = endOfRun(json, start)
    if (json[at] !== QUOTE) return undefined
    if (name === ALG) alg = text.slice(start, at)
    else if (name === KID) kid = text.slice(start, at)
    if (json[++at] !== COMMA) break
    at++
  }
  const isWhole = json[at] === BRACE + CLOSING && at === json.length - 1
  return isWhole && alg !== undefined && kid !== undefined ? { alg, kid } : undefined
}
