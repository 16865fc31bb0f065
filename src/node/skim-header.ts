import {
  BRACE,
  CLOSING,
  COMMA,
  endOfRun,
  isBraced,
  lengthOf,
  nameOfText,
  QUOTE,
  readName,
} from '../edge/skim/index.js'
import type { JsonObject } from '../edge/token/index.js'
import { bufferMethod } from './buffer-method.js'
import { decodeSegment } from './decode-segment.js'
import { Room } from './room.js'

const headers = new Room()

const textOf = bufferMethod('latin1Slice', function (start: number, end: number): string {
  return this.toString('latin1', start, end)
})

const ALG = nameOfText('alg')
const KID = nameOfText('kid')
/** What is as long and has the same letters at three places is given up as well. */
const CRIT = nameOfText('crit')

/**
 * Reads `alg` and `kid` of a token's header, for a fraction of what parsing it costs. Gives up
 * (`undefined`) on whatever is not a compact JSON object of plain texts in ASCII with both of them, and
 * on `crit`.
 */
export function skimHeader(header: string): JsonObject | undefined {
  if (header.includes('+') || header.includes('/')) return undefined
  const json = decodeSegment(header, headers)
  return json && isBraced(json) ? membersOf(json) : undefined
}

function membersOf(json: Buffer): JsonObject | undefined {
  const text = textOf.call(json, 0, json.length)
  let alg: string | undefined
  let kid: string | undefined
  let at = 1
  for (let known = 0; ; known++) {
    const name = readName(json, at, 0, known)
    const start = at + lengthOf(name) + 1
    if (name === 0 || name === CRIT || json[start - 1] !== QUOTE) return undefined
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
