import { ExpressionError, locate } from '../../edge/expression/index.js'
import { ApiError, message, type Message } from '../http/index.js'
import { CODES } from './codes.js'
import { expressionFault } from './expression-fault.js'

/**
 * Checks where tokens are looked for, and gives what is worth telling.
 * @throws {ApiError} 400 for an entry that is none of the two forms, or that stands there twice
 */
export function checkSources(sources: readonly string[]): readonly Message[] {
  const faults: Message[] = []
  const notices: Message[] = []
  const seen = new Set<string>()
  for (const [at, source] of sources.entries()) {
    const pointer = `/token_sources/${at}`
    try {
      const { kind, name, warnings } = locate(source)
      for (const warning of warnings)
        notices.push(message(CODES.source_notice, warning.message, pointer))
      if (seen.has(`${kind} ${name}`))
        faults.push(message(CODES.invalid_source, 'expected each source only once', pointer))
      seen.add(`${kind} ${name}`)
    } catch (cause) {
      if (!(cause instanceof ExpressionError)) throw cause
      faults.push(expressionFault(CODES.invalid_source, cause, pointer))
    }
  }
  if (faults.length > 0) throw ApiError.of(400, faults)
  return notices
}
