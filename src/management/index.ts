/**
 * The management floor: stores configuration and answers the API. Web APIs only; databases are
 * handed in.
 * @packageDocumentation
 */
export { createManagement, type Management, type ManagementOptions } from './create-management.js'
export {
  createSealer,
  openDatabase,
  resealSecrets,
  type Database,
  type Sealer,
} from './store/index.js'
