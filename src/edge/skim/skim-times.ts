import type { Times } from '../token/index.js'
import {
  asciiOf,
  BACKSLASH,
  BEYOND_ASCII,
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

const ZERO = 0x30
const NINE = 0x39
/** A bracket's code in that of a brace. */
const OR_BRACKET = 0x20

const MAX_DEPTH = 8
/** Digits of which every number is exact. */
const MAX_DIGITS = 15

/** The opening bracket of each level, and the first of the names in it. */
const openings = new Uint8Array(MAX_DEPTH + 1)
const bases = new Uint8Array(MAX_DEPTH + 1)
/** Whether a string with other characters was passed. */
let isAscii = true

const EXP = nameOfText('exp')
const NBF = nameOfText('nbf')
const WORDS = ['true', 'false', 'null'].map(asciiOf)

/**
 * Reads `exp` and `nbf` of a payload, for a fraction of what parsing it costs. Gives up
 * (`undefined`) on whatever is not a compact JSON object certainly in order: white space, escaped
 * names and those beyond ASCII, numbers other than natural ones, names that look alike, deep nesting.
 *
 * @param isUtf8 asked of a payload with texts beyond ASCII
 */
export function skimTimes(
  json: Uint8Array,
  isUtf8: (json: Uint8Array) => boolean,
): Times | undefined {
  if (!isBraced(json)) return undefined
  const { length } = json
  isAscii = true
  let exp: number | undefined
  let nbf: number | undefined
  let known = 0
  let depth = 1
  openings[1] = BRACE
  bases[1] = 0
  let at = 1
  for (;;) {
    let name = 0
    if (openings[depth] === BRACE) {
      name = readName(json, at, bases[depth]!, known++)
      if (name === 0) return undefined
      at += lengthOf(name)
    }
    const code = json[at]!
    const isTime = depth === 1 && (name === EXP || name === NBF)
    if (code >= ZERO && code <= NINE) {
      const end = endOfDigits(json, at)
      if (end - at > MAX_DIGITS || (code === ZERO && end > at + 1)) return undefined
      if (isTime && name === EXP) exp = numberOf(json, at, end)
      else if (isTime) nbf = numberOf(json, at, end)
      at = end
    } else if (isTime) return undefined
    else if (code === QUOTE) at = endOfString(json, at + 1)
    else if ((code | OR_BRACKET) !== BRACE) at = endOfWord(json, at)
    else if (json[at + 1] === code + CLOSING) at += 2
    else if (depth === MAX_DEPTH) return undefined
    else {
      openings[++depth] = code
      bases[depth] = known
      at++
      continue
    }
    while (json[at] === openings[depth]! + CLOSING) {
      known = bases[depth--]!
      at++
      if (at === length) return depth === 0 && (isAscii || isUtf8(json)) ? { exp, nbf } : undefined
      if (depth === 0) return undefined
    }
    if (json[at++] !== COMMA) return undefined
  }
}

/** What may be escaped by a backslash alone. */
const ESCAPED = new Uint8Array(256)
for (const code of asciiOf('"\\/bfnrt')) ESCAPED[code] = 1

/** Behind the closing quote; 0 where something else ends the string. */
function endOfString(json: Uint8Array, from: number): number {
  let at = endOfRun(json, from)
  for (;;) {
    const code = json[at]!
    if (code === QUOTE) return at + 1
    if (code >= BEYOND_ASCII) isAscii = false
    else if (code !== BACKSLASH || ESCAPED[json[++at]!] === 0) return 0
    at = endOfRun(json, at + 1)
  }
}

function endOfDigits(json: Uint8Array, from: number): number {
  let at = from
  while (json[at]! >= ZERO && json[at]! <= NINE) at++
  return at
}

function numberOf(json: Uint8Array, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at++) value = value * 10 + json[at]! - ZERO
  return value
}

/** Behind `true`, `false` or `null`; 0 for something else. */
function endOfWord(json: Uint8Array, at: number): number {
  for (const word of WORDS) {
    if (word.every((code, offset) => json[at + offset] === code)) return at + word.length
  }
  return 0
}
