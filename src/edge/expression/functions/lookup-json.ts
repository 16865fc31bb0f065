import { canonicalInt, bytesOf, textOf } from '../value.js'
import type { Value } from '../value.js'

/** Tokens of a text that is known to be JSON; between them are only marks and space. */
const TOKEN = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g

/** The string at the end of a path into JSON. */
export function lookupString(
  json: Value | undefined,
  ...path: (Value | undefined)[]
): Value | undefined {
  const found = walk(parse(json as string), path)
  return typeof found === 'string' ? bytesOf(found) : undefined
}

/** The integer at the end of a path into JSON, written without point or exponent. */
export function lookupInteger(
  json: Value | undefined,
  ...path: (Value | undefined)[]
): Value | undefined {
  const found = walk(parse(json as string, quoteNumbers), path)
  // Numbers were made strings behind a mark, for JSON.parse would hide how they were written.
  const [, digits] = /^#(-?\d+)$/.exec(typeof found === 'string' ? found : '') ?? []
  return digits ? canonicalInt(BigInt(digits)) : undefined
}

function parse(bytes: string, rewrite = (text: string): string => text): unknown {
  const text = textOf(bytes)
  try {
    const value: unknown = JSON.parse(text)
    const rewritten = rewrite(text)
    return rewritten === text ? value : JSON.parse(rewritten)
  } catch {
    // Text that is not JSON has nothing at any path: a missing value.
    return undefined
  }
}

/** Numbers as strings that begin with `#`, and strings that began so with a space before it. */
const quoteNumbers = (json: string): string =>
  json.replace(TOKEN, (token) =>
    token.startsWith('"') ? token.replace(/^"#/, '" #') : `"#${token}"`,
  )

function walk(value: unknown, path: readonly (Value | undefined)[]): unknown {
  let place = value
  for (const step of path) {
    const isKey = typeof step === 'string'
    const key = isKey ? textOf(step) : Number(step)
    // Keys are of records and numbers are of arrays.
    const fits = place instanceof Object && Array.isArray(place) !== isKey
    if (!fits || !Object.hasOwn(place as object, key)) return undefined
    place = (place as Record<string | number, unknown>)[key]
  }
  return place
}
