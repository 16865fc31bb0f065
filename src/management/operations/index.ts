/** Operations of zones, and the OpenAPI documents that describe them. */
export { importOperations, type Imported } from './import-operations.js'
export { operationRoutes } from './routes.js'
export { schemaRoutes } from './schema-routes.js'
