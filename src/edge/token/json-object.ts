/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
/** A JSON object. It has the usual prototype: ask `Object.hasOwn` before reading a stranger's name. */
export interface JsonObject {
  readonly [name: string]: Json
}

/** Levels of nesting accepted in a header or payload: real tokens use 2 to 6. */
export const MAX_DEPTH = 32

/**
 * Parses the JSON object in `text`. Gives `undefined` for anything else, for nesting beyond
 * {@link MAX_DEPTH}, and for an object that names a member twice at any depth (RFC 7519 4), however the
 * names are escaped.
 */
export function parseObject(text = ''): JsonObject | undefined {
  const colons = countColons(text)
  if (colons < 0) return undefined
  try {
    const value: unknown = JSON.parse(text)
    // Each member has one colon, and a repeated name leaves one member only.
    return isObject(value) && countMembers(value) === colons ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Colons outside of strings, or -1 when brackets nest too deep or a string does not end. Runs before
 * the parse that it guards.
 */
function countColons(text: string): number {
  const quote = 0x22
  const colon = 0x3a
  const { length } = text
  let colons = 0
  let depth = 0
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = closingQuote(text, at)
      if (at < 0) return -1
    } else if (code === colon) colons++
    // `{` and `[`, `}` and `]` differ in one bit, 0x20.
    else if ((code | 0x20) === 0x7b && ++depth > MAX_DEPTH) return -1
    else if ((code | 0x20) === 0x7d) depth--
  }
  return colons
}

/** A search by the engine is far quicker than a look at each character. */
function closingQuote(text: string, opening: number): number {
  const backslash = 0x5c
  let at = opening
  for (;;) {
    at = text.indexOf('"', at + 1)
    let start = at
    while (text.charCodeAt(start - 1) === backslash) start--
    // An even number of backslashes escape each other; there are none before -1.
    if (((at - start) & 1) === 0) return at
  }
}

/** The number of members of all objects in a value. */
function countMembers(value: object): number {
  let members = 0
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  if (items !== value) members = items.length
  for (const item of items) {
    if (typeof item === 'object' && item !== null) members += countMembers(item)
  }
  return members
}

/** Freezes a value and all it holds. */
export function freezeThroughout<Value extends Json | undefined>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const item of Array.isArray(value) ? value : Object.values(value)) freezeThroughout(item)
  return Object.freeze(value)
}

/** An object that JSON writes in braces. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
