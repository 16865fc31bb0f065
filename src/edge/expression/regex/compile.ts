import { choice } from './parse.js'
import { Pattern } from './pattern.js'
import type { Complain } from './pattern.js'
import { createSearch } from './search.js'

/**
 * A search for a regular expression in a text of bytes, in time linear in the text. The syntax is
 * that of Rust's, without Unicode mode; `complain` is called with a construct that is wrong or not
 * supported.
 */
export function compileRegex(text: string, complain: Complain): (bytes: string) => boolean {
  const p = new Pattern(text, complain)
  const emit = choice(p)
  if (p.at < text.length) p.fail('unopened )')
  return createSearch(p.steps, emit(p.step()))
}
