/** Operations of zones. */
export { operationRoutes } from './routes.js'
export { restoreOperations } from './restore-operations.js'
