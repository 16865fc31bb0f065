import type { Message } from '../http/index.js'
import type { Origin, Services } from '../store/index.js'
import { addOperations } from './operations.js'
import { readOpenApi, type DocumentReader } from './read-openapi.js'
import { zoneFacts } from './zone-facts.js'

/** What an import did. */
export interface Imported {
  /** Operations of the document in the zone, in its order. */
  readonly operations: readonly {
    readonly operation_id: string
    readonly method: string
    readonly host: string
    readonly endpoint: string
  }[]
  /** How many of them were not there before. */
  readonly added: number
  /** What was left out; pointers lead into the document. */
  readonly warnings: readonly Message[]
}

/**
 * Adds the operations of an OpenAPI document (JSON or YAML) to a zone: all of them or, when it is
 * refused, none. What is there already stays as it is.
 *
 * @throws {ApiError} 400 with a message for each fault, 404 when there is no such zone
 */
export async function importOperations(
  services: Services,
  reader: DocumentReader,
  zoneId: string,
  text: string,
  origin: Origin,
): Promise<Imported> {
  const facts = await zoneFacts(services.db, zoneId)
  const { operations, warnings } = await readOpenApi(reader, text, facts, '')
  const { rows, added } = await addOperations(services, zoneId, operations, origin)
  return {
    operations: rows.map(({ id, method, host, endpoint }) => ({
      operation_id: id,
      method,
      host,
      endpoint,
    })),
    added,
    warnings,
  }
}
