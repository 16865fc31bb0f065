export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const BACKSLASH = 0x5c
export const BRACE = 0x7b
/** What closes a bracket or brace comes this much later in ASCII. */
export const CLOSING = 2

const SPACE = 0x20
const BEYOND_ASCII = 0x80
const MAX_NAME = 255

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
  let at = from
  for (;;) {
    while (IN_RUN[json[at]!] === 1) at++
    if (json[at] !== BRACE + CLOSING || at === last) return at
    at++
  }
}

/** Length and three characters of a name: all of a name of three. 0 for one that is too long. */
export function nameOf(json: Uint8Array, start: number, end: number): number {
  const size = end - start
  if (size > MAX_NAME) return 0
  return (size << 24) | (json[start]! << 16) | (json[(start + end) >> 1]! << 8) | json[end - 1]!
}

export const nameOfText = (text: string): number => nameOf(Buffer.from(text), 0, text.length)

/** Whether a name is among others. */
export function includes(names: Int32Array, name: number, from: number, to: number): boolean {
  for (let each = from; each < to; each++) if (names[each] === name) return true
  return false
}
