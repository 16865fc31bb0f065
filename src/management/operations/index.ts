/** Operations of zones, and the OpenAPI documents that describe them. */
export { OPERATION_CODES } from './code-notes.js'
export { importOperations, type Imported } from './import-operations.js'
export { operationRoutes } from './routes.js'
export { restoreOperations } from './restore-operations.js'
export { schemaRoutes } from './schema-routes.js'
