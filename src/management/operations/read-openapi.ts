import { ApiError, message, type Message } from '../http/index.js'
import { CODES } from './codes.js'
import { normalise, type Normalised } from './normalise.js'
import { DocumentError, operationsOf, readDocument } from './openapi/index.js'
import type { ZoneFacts } from './zone-facts.js'

/** Operations of one document, and of one call that creates some. */
export const MAX_AT_ONCE = 10_000

/**
 * The operations that an OpenAPI 3 document (JSON or YAML) describes in a zone, each once, and what had
 * to be left out. The pointers of messages lead to `at` and from there into the document.
 *
 * @throws {ApiError} 400 for what is no such document, or describes nothing in the zone.
 */
export async function readOpenApi(
  text: string,
  zone: ZoneFacts,
  at: string,
): Promise<{ readonly operations: readonly Normalised[]; readonly warnings: readonly Message[] }> {
  const { operations: written, warnings: notes } = pointed(text, zone.name, at)
  const warnings = notes.map((note) => below(at, note))
  const operations = new Map<string, Normalised>()
  for (const input of written) {
    const result = await normalise(input, zone)
    // Host and path were judged where they stand; what is left is a base and a path too long together.
    if (!('match_key' in result)) warnings.push(message(CODES.not_expressible, result.text, at))
    else if (!operations.has(result.match_key)) operations.set(result.match_key, result)
    if (operations.size > MAX_AT_ONCE)
      throw new ApiError(
        400,
        CODES.too_many,
        `expected at most ${MAX_AT_ONCE} operations in a document`,
        `${at}/paths`,
      )
  }
  if (operations.size > 0) return { operations: [...operations.values()], warnings }
  const none = message(
    CODES.no_operation,
    `the document describes no operation in the zone ${zone.name}`,
    at,
  )
  throw ApiError.of(400, [none, ...warnings])
}

function pointed(text: string, zone: string, at: string): ReturnType<typeof operationsOf> {
  try {
    return operationsOf(readDocument(text), zone)
  } catch (cause) {
    if (cause instanceof DocumentError)
      throw new ApiError(400, CODES.invalid_document, `neither JSON nor YAML: ${cause.message}`, at)
    if (cause instanceof ApiError)
      throw ApiError.of(
        400,
        cause.errors.map((error) => below(at, error)),
      )
    throw cause
  }
}

const below = (at: string, { source, ...note }: Message): Message => ({
  ...note,
  source: { pointer: `${at}${source?.pointer ?? ''}` },
})
