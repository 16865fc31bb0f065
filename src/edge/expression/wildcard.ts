import type { Test } from './compare.js'
import { PatternError } from './pattern-error.js'

const TOKEN = /\\[^]?|\*+|[^\\*]+/g

/**
 * A test of whole values against a wildcard: `*` is any run of bytes, `\*` and `\\` are themselves.
 * The strict one minds the case of ASCII letters.
 *
 * @throws {PatternError}
 */
export function compileWildcard(pattern: string, strict: boolean, starLimit: number): Test {
  const parts = partsOf(pattern)
  if (parts.length - 1 > starLimit) throw new PatternError(`more than ${starLimit} stars`)
  if (strict) return matcher(parts)
  const test = matcher(parts.map(lower))
  return (value) => test(lower(value as string))
}

/** ASCII letters as small ones; all other bytes as they are. */
export function lower(bytes: string): string {
  return bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** The texts between the stars. */
function partsOf(pattern: string): string[] {
  const parts = ['']
  for (const [token] of pattern.matchAll(TOKEN)) {
    if (token === '*') {
      parts.push('')
      continue
    }
    if (token.startsWith('*')) throw new PatternError('two stars side by side')
    const literal = token.startsWith('\\') ? token.slice(1) : token
    if (literal === '' || (token !== literal && literal !== '*' && literal !== '\\')) {
      throw new PatternError('a backslash may only stand before * and \\')
    }
    parts[parts.length - 1] += literal
  }
  return parts
}

/** The first text must begin the value, the last end it, the others follow each other between. */
function matcher(parts: readonly string[]): Test {
  const [first = ''] = parts
  if (parts.length === 1) return (value) => value === first
  const last = parts.at(-1) ?? ''
  const between = parts.slice(1, -1)
  return (value) => {
    const text = value as string
    const limit = text.length - last.length
    if (limit < first.length || !text.startsWith(first) || !text.endsWith(last)) return false
    let at = first.length
    for (const part of between) {
      const found = text.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= limit
  }
}
