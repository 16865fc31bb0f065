import type { JsonObject } from '../token/index.js'
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
} from './json-scan.js'

const ALG = nameOfText('alg')
const KID = nameOfText('kid')
/** What is as long and has the same letters at three places is given up as well. */
const CRIT = nameOfText('crit')

/**
 * Reads `alg` and `kid` of a token's header, for a fraction of what parsing it costs. Gives up
 * (`undefined`) on whatever is not a compact JSON object of plain texts in ASCII with both of them, and
 * on `crit`.
 *
 * @param text the same, a character for each byte
 */
export function skimKeyName(json: Uint8Array, text: string): JsonObject | undefined {
  if (!isBraced(json)) return undefined
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
