/** The audit log: who changed what, when, and with which request. */
export { auditRoutes } from './routes.js'
