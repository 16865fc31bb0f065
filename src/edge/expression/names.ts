import { fail } from './context.js'
import type { Context } from './context.js'
import type { ExpressionErrorCode } from './error.js'
import { suggest } from './suggest.js'
import type { Place, Span } from './syntax.js'

/** Ends the compilation over a name that is not known, with the one that may have been meant. */
export function unknown(
  code: ExpressionErrorCode & `unknown_${string}`,
  name: string,
  names: Iterable<string>,
  at: Span,
  context: Context,
): never {
  const suggestion = suggest(name, names)
  const what = code === 'unknown_configuration' ? 'token configuration' : code.slice(8)
  const detail = { found: name, ...(suggestion !== undefined && { suggestion }) }
  return fail(context, code, `unknown ${what} ${name}`, at, detail)
}

/** Where the name of a field or function stands, without what follows it. */
export const nameOf = ({ name, start }: Place): Span => ({ start, end: start + name.length })

/** Notes a token configuration, which must be known where it is known which ones there are. */
export function useConfiguration(id: string, at: Span, context: Context): void {
  const known = context.world.configurations
  if (known && !known.has(id)) unknown('unknown_configuration', id, known, at, context)
  context.configurations.add(id)
}
