/** Operations of zones. */
export { operationRoutes } from './routes.js'
