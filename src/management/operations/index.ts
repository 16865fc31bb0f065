/** Operations of zones, and the OpenAPI documents that describe them. */
export { OPERATION_CODES } from './code-notes.js'
export { importOperations, type Imported } from './import-operations.js'
export type { DocumentReader } from './read-openapi.js'
export { readOperations, type Reading } from './read-operations.js'
export { ReadingError, type ReadingFault } from './reading-error.js'
export { operationRoutes } from './routes.js'
export { restoreOperations } from './restore-operations.js'
export { schemaRoutes } from './schema-routes.js'
