export const QUOTE = 0x22
export const COMMA = 0x2c
const COLON = 0x3a
export const BACKSLASH = 0x5c
export const BRACE = 0x7b
/** What closes a bracket or brace comes this much later in ASCII. */
export const CLOSING = 2

const SPACE = 0x20
export const BEYOND_ASCII = 0x80
const MAX_NAME = 255
const MAX_NAMES = 64

/** What neither ends a run of characters nor may end the bytes. */
const IN_RUN = new Uint8Array(256)
IN_RUN.fill(1, SPACE, BEYOND_ASCII)
for (const code of [QUOTE, BACKSLASH, BRACE + CLOSING]) IN_RUN[code] = 0

/**
 * Whether the bytes start and end as an object does. Then nothing that reads on needs to look beyond
 * them, as on the way there the brace is out of place; a single look outside would make every later
 * one slow.
 */
export const isBraced = (json: Uint8Array): boolean =>
  json.length >= 2 && json[0] === BRACE && json[json.length - 1] === BRACE + CLOSING

/** Where the ASCII characters of a string that stand for themselves end, at the last byte the latest. */
export function endOfRun(json: Uint8Array, from: number): number {
  const last = json.length - 1
  let at = endOfPlain(json, from)
  while (json[at] === BRACE + CLOSING && at < last) at = endOfPlain(json, at + 1)
  return at
}

/**
 * Four at a time: at each turn of a loop V8 looks anew whether the bytes are still where they were, which
 * takes longer than to look at one. `| 0` says that no sum grows beyond an integer.
 */
function endOfPlain(json: Uint8Array, from: number): number {
  for (let at = from; ; at = (at + 4) | 0) {
    if (IN_RUN[json[at]!] !== 1) return at
    if (IN_RUN[json[(at + 1) | 0]!] !== 1) return at + 1
    if (IN_RUN[json[(at + 2) | 0]!] !== 1) return at + 2
    if (IN_RUN[json[(at + 3) | 0]!] !== 1) return at + 3
  }
}

/** Length and three characters of a name: all of a name of three. 0 for one that is too long. */
function nameOf(json: Uint8Array, start: number, end: number): number {
  const size = end - start
  if (size > MAX_NAME) return 0
  return (size << 24) | (json[start]! << 16) | (json[(start + end) >> 1]! << 8) | json[end - 1]!
}

/** The bytes of a text in ASCII. */
export const asciiOf = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => character.charCodeAt(0))

export const nameOfText = (text: string): number => nameOf(asciiOf(text), 0, text.length)

/** The names of all open objects. */
const names = new Int32Array(MAX_NAMES)

/**
 * Reads a name and the colon behind it, and keeps it in its place among the names: those from `first` on
 * are of the same object. 0 for what is none, may be there already, or is one too many.
 */
export function readName(json: Uint8Array, at: number, first: number, place: number): number {
  if (json[at] !== QUOTE || place === MAX_NAMES) return 0
  const end = endOfRun(json, at + 1)
  if (json[end] !== QUOTE || json[end + 1] !== COLON) return 0
  const name = nameOf(json, at + 1, end)
  for (let each = first; each < place; each++) if (names[each] === name) return 0
  names[place] = name
  return name
}

/** Characters of a name with its quotes and its colon. */
export const lengthOf = (name: number): number => (name >>> 24) + 3
