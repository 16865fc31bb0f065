import { ApiError, CODES as COMMON, type Message } from '../http/index.js'
import { CODES } from './codes.js'
import type { Normalised } from './normalise.js'
import type { Reading } from './read-operations.js'
import { ReadingError } from './reading-error.js'
import type { ZoneFacts } from './zone-facts.js'

/**
 * Reads the operations of a document, here or elsewhere, as `readOperations` does. Rejects with a
 * {@link ReadingError} where it gives up.
 */
export type DocumentReader = (text: string, zone: ZoneFacts) => Promise<Reading>

/**
 * The operations that an OpenAPI 3 document (JSON or YAML) describes in a zone, each once, and what had
 * to be left out. The pointers of messages lead to `at` and from there into the document.
 *
 * @throws {ApiError} 400 for what is no such document, or describes nothing in the zone; 503 while
 * too many others are read
 */
export async function readOpenApi(
  reader: DocumentReader,
  text: string,
  zone: ZoneFacts,
  at: string,
): Promise<{ readonly operations: readonly Normalised[]; readonly warnings: readonly Message[] }> {
  const below = ({ source, ...note }: Message): Message => ({
    ...note,
    source: { pointer: `${at}${source?.pointer ?? ''}` },
  })
  const reading = await reader(text, zone).catch((cause: unknown) => {
    throw cause instanceof ReadingError ? refusalOf(cause, at) : cause
  })
  if ('errors' in reading) throw ApiError.of(400, reading.errors.map(below))
  return { operations: reading.operations, warnings: reading.warnings.map(below) }
}

function refusalOf({ code, message }: ReadingError, at: string): ApiError {
  if (code === 'busy')
    return new ApiError(503, COMMON.unavailable, message, undefined, {
      headers: { 'Retry-After': '5' },
    })
  return new ApiError(400, CODES.invalid_document, message, at)
}
