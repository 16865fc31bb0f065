/** Any JSON value, as parsed and frozen. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
/** A JSON object. It has the usual prototype: ask `Object.hasOwn` before reading a stranger's name. */
export interface JsonObject {
  readonly [name: string]: Json
}

/** Levels of nesting accepted in a header or payload: real tokens use 2 to 6. */
export const MAX_DEPTH = 32

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

/**
 * Parses the JSON object in `text`, whose UTF-8 bytes are `bytes`, and freezes it throughout.
 * Gives `undefined` for anything else, for nesting beyond {@link MAX_DEPTH}, and for an object that
 * names a member twice at any depth (RFC 7519 4), however the names are escaped.
 */
export function parseObject(bytes: Uint8Array, text: string): JsonObject | undefined {
  const colons = countColons(bytes)
  if (colons < 0) return undefined
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return undefined
  }
  if (!isObject(value)) return undefined
  // Each member has one colon, and a repeated name leaves one member only.
  return freezeMembers(value) === colons ? value : undefined
}

/** Colons outside of strings, or -1 when brackets nest too deep. Runs before the parse it guards. */
function countColons(bytes: Uint8Array): number {
  const { length } = bytes
  let colons = 0
  let depth = 0
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      for (at++; at < length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++
    } else if (byte === COLON) colons++
    // `{` and `[`, `}` and `]` differ in one bit, 0x20.
    else if ((byte | 0x20) === 0x7b && ++depth > MAX_DEPTH) return -1
    else if ((byte | 0x20) === 0x7d) depth--
  }
  return colons
}

/** Freezes a parsed value and all it holds; gives the number of members of all objects in it. */
function freezeMembers(value: object): number {
  let members = 0
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  if (items !== value) members = items.length
  for (const item of items) {
    if (typeof item === 'object' && item !== null) members += freezeMembers(item)
  }
  Object.freeze(value)
  return members
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
