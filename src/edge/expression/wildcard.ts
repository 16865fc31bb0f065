import type { Value } from './value.js'

/**
 * A test of whole values against a wildcard: `*` is any run of bytes, `\*` and `\\` are themselves.
 * The strict one minds the case of ASCII letters.
 */
export function compileWildcard(
  pattern: string,
  strict: boolean,
  starLimit: number,
  complain: (message: string) => void,
): (value: Value) => boolean {
  // No byte, so it can stand for a star among them.
  const star = '\u0100'
  if (!/^(?:\*(?!\*)|\\[*\\]|[^*\\])*$/.test(pattern)) {
    complain('write \\* for a star, \\\\ for a backslash, and no **')
  }
  const marked = pattern.replace(/\\(.)|\*/g, (_, escaped?: string) => escaped ?? star)
  const parts = (strict ? marked : lower(marked)).split(star)
  if (parts.length - 1 > starLimit) complain(`more than ${starLimit} stars`)
  const matches = matcher(parts)
  const test = strict ? matches : (text: string) => matches(lower(text))
  return test as (value: Value) => boolean
}

/** ASCII letters as small ones; all other bytes as they are. */
export function lower(bytes: string): string {
  return bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** The first text must begin the value, the last end it, the others follow each other between. */
function matcher([first = '', ...others]: readonly string[]): (text: string) => boolean {
  const last = others.pop()
  if (last === undefined) return (text) => text === first
  return (text) => {
    const limit = text.length - last.length
    if (limit < first.length || !text.startsWith(first) || !text.endsWith(last)) return false
    let at = first.length
    for (const part of others) {
      const found = text.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= limit
  }
}
