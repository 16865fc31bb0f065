import { ApiError, message, type Message } from '../http/index.js'
import { CODES } from './codes.js'
import { normalise, type Normalised } from './normalise.js'
import { DocumentError, operationsOf, readDocument } from './openapi/index.js'
import type { ZoneFacts } from './zone-facts.js'

/** Operations of one document, and of one call that creates some. */
export const MAX_AT_ONCE = 10_000

/**
 * What a document says, or why it says nothing: data alone, which may come from another process. The
 * pointers of messages begin at the document.
 */
export type Reading =
  | {
      /** Each once, as they are kept. */
      readonly operations: readonly Normalised[]
      /** What had to be left out. */
      readonly warnings: readonly Message[]
    }
  | { readonly errors: readonly Message[] }

/**
 * Reads the operations that an OpenAPI 3 document (JSON or YAML) describes in a zone. A megabyte may
 * take seconds: whoever has something else to do hands it to another process.
 */
export async function readOperations(text: string, zone: ZoneFacts): Promise<Reading> {
  try {
    return await read(text, zone)
  } catch (cause) {
    if (cause instanceof ApiError) return { errors: cause.errors }
    if (!(cause instanceof DocumentError)) throw cause
    const said = `neither JSON nor YAML: ${cause.message}`
    return { errors: [message(CODES.invalid_document, said, '')] }
  }
}

/** @throws {ApiError} 400 and {DocumentError} for what is no such document, or describes nothing */
async function read(text: string, zone: ZoneFacts): Promise<Reading> {
  const { operations: written, warnings: notes } = operationsOf(await readDocument(text), zone.name)
  const warnings = [...notes]
  const operations = new Map<string, Normalised>()
  for (const input of written) {
    const result = await normalise(input, zone)
    // Host and path were judged where they stand; what is left is a base and a path too long together.
    if (!('match_key' in result)) warnings.push(message(CODES.not_expressible, result.text, ''))
    else if (!operations.has(result.match_key)) operations.set(result.match_key, result)
    if (operations.size > MAX_AT_ONCE)
      throw new ApiError(
        400,
        CODES.too_many,
        `expected at most ${MAX_AT_ONCE} operations in a document`,
        '/paths',
      )
  }
  if (operations.size > 0) return { operations: [...operations.values()], warnings }
  const said = `the document describes no operation in the zone ${zone.name}`
  throw ApiError.of(400, [message(CODES.no_operation, said, ''), ...warnings])
}
