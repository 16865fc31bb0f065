/** The store with the management floor upon it: its database, and the keys that seal its secrets. */
export { DATABASE_FILE } from './database-file.js'
export { openStore, type Store, type StorePlace } from './open-store.js'
export {
  addSecretKey,
  dropOldSecretKeys,
  readSecretKeys,
  SecretKeyError,
  secretKeysStamp,
} from './secret-keys.js'
export { sqliteDialect } from './sqlite.js'
