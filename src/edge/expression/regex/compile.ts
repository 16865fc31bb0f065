import { parseRegex } from './parse.js'
import { assemble } from './program.js'
import { createSearch } from './search.js'

/**
 * A search for a regular expression in a text of bytes, in time linear in the text.
 *
 * @throws {PatternError}
 */
export function compileRegex(pattern: string): (bytes: string) => boolean {
  return createSearch(assemble(parseRegex(pattern)))
}
