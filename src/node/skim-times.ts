import type { Times } from '../edge/token/index.js'

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const BACKSLASH = 0x5c
const BRACE = 0x7b
/** A bracket's code in that of a brace. */
const OR_BRACKET = 0x20
/** What closes a bracket or brace comes this much later in ASCII. */
const CLOSING = 2

const MAX_DEPTH = 8
const MAX_NAMES = 64
const MAX_NAME = 255
/** Digits of which every number is exact. */
const MAX_DIGITS = 15

/** The opening bracket of each level, and the first of the names in it. */
const openings = new Uint8Array(MAX_DEPTH + 1)
const bases = new Uint8Array(MAX_DEPTH + 1)
/** The names of all open objects. */
const names = new Int32Array(MAX_NAMES)

const EXP = nameOf(Buffer.from('exp'), 0, 3)
const NBF = nameOf(Buffer.from('nbf'), 0, 3)
const WORDS = ['true', 'false', 'null'].map((word) => Buffer.from(word))

/**
 * Reads `exp` and `nbf` of a payload in UTF-8, for a fraction of what parsing it costs. Gives up
 * (`undefined`) on whatever is not a compact JSON object certainly in order: white space, escaped
 * names, numbers other than natural ones, names that look alike, deep nesting.
 */
export function skimTimes(json: Uint8Array): Times | undefined {
  const { length } = json
  // With a brace at its end nothing below needs to look beyond: on the way there it is out of place.
  // A single look outside of the bytes would make every later one slow.
  if (length < 2 || json[0] !== BRACE || json[length - 1] !== BRACE + CLOSING) return undefined
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
      const end = json[at] === QUOTE ? endOfRun(json, at + 1) : length
      if (end === length || json[end] !== QUOTE || json[end + 1] !== COLON) return undefined
      name = nameOf(json, at + 1, end)
      if (name === 0 || known === MAX_NAMES || includes(name, bases[depth]!, known))
        return undefined
      names[known++] = name
      at = end + 2
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
      if (at === length) return depth === 0 ? { exp, nbf } : undefined
      if (depth === 0) return undefined
    }
    if (json[at++] !== COMMA) return undefined
  }
}

/** Length and three characters of a name: all of a name of three. 0 for one that is too long. */
function nameOf(json: Uint8Array, start: number, end: number): number {
  const size = end - start
  if (size > MAX_NAME) return 0
  return (size << 24) | (json[start]! << 16) | (json[(start + end) >> 1]! << 8) | json[end - 1]!
}

function includes(name: number, from: number, to: number): boolean {
  for (let each = from; each < to; each++) if (names[each] === name) return true
  return false
}

/** What may be escaped by a backslash alone. */
const ESCAPED = new Uint8Array(256)
for (const code of Buffer.from('"\\/bfnrt')) ESCAPED[code] = 1

/** Where the characters of a string that stand for themselves end. */
function endOfRun(json: Uint8Array, from: number): number {
  const { length } = json
  let at = from
  while (at < length) {
    const code = json[at]!
    if (code === QUOTE || code === BACKSLASH || code < SPACE) break
    at++
  }
  return at
}

/** Behind the closing quote; 0 where something else ends the string. */
function endOfString(json: Uint8Array, from: number): number {
  const { length } = json
  let at = endOfRun(json, from)
  while (at < length && json[at] === BACKSLASH && ESCAPED[json[at + 1]!] === 1)
    at = endOfRun(json, at + 2)
  return at < length && json[at] === QUOTE ? at + 1 : 0
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
