import { parseRegex } from './parse.js'
import { assemble } from './program.js'
import { createSearch } from './search.js'

export { RegexError } from './syntax.js'

/**
 * A search for a regular expression in a text of bytes, in time linear in the text.
 *
 * @throws {RegexError}
 */
export function compileRegex(pattern: string): (bytes: string) => boolean {
  return createSearch(assemble(parseRegex(pattern)))
}
