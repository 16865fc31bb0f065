import { canonicalInt, bytesOf, textOf } from '../value.js'
import type { Value } from '../value.js'

/** Tokens of a text that is known to be JSON; between them are only marks and space. */
const TOKEN = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g

/** The string at the end of a path into JSON. */
export function lookupString(
  json: Value | undefined,
  ...path: (Value | undefined)[]
): Value | undefined {
  const found = walk(textOf(json as string), path)
  return typeof found === 'string' ? bytesOf(found) : undefined
}

/** The integer at the end of a path into JSON, written without point or exponent. */
export function lookupInteger(
  json: Value | undefined,
  ...path: (Value | undefined)[]
): Value | undefined {
  const text = textOf(json as string)
  if (typeof walk(text, path) !== 'number') return undefined
  // JSON.parse hides how a number was written, but not how a string was.
  const digits = walk(text.replace(TOKEN, quoted), path) as string
  return /^-?\d+$/.test(digits) ? canonicalInt(BigInt(digits)) : undefined
}

const quoted = (token: string): string => (token.startsWith('"') ? token : `"${token}"`)

function walk(json: string, path: readonly (Value | undefined)[]): unknown {
  let place: unknown
  try {
    place = JSON.parse(json)
  } catch {
    // Text that is not JSON has nothing at any path: a missing value.
    return undefined
  }
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
