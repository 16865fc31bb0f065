/**
 * The management floor: stores configuration and answers the API. Web APIs only; databases are
 * handed in.
 * @packageDocumentation
 */
export { createManagement } from './create-management.js'
export type { Management, ManagementOptions } from './management.js'
export type { Outbound } from './http/index.js'
export type { FetchEvent, UnknownKeys } from './key-sets/index.js'
export type { GateState, InstanceReport, Refused } from './gate/index.js'
export {
  ReadingError,
  readOperations,
  type DocumentReader,
  type Reading,
  type ReadingFault,
} from './operations/index.js'
export type { ZonePolicy } from './token-validation/index.js'
export {
  BackupError,
  createSealer,
  openDatabase,
  resealSecrets,
  SealError,
  type Announcer,
  type Database,
  type PolicyHead,
  type Sealer,
  type StoreDialect,
  type StoreFault,
} from './store/index.js'
